"""How the columns of a file are called, in other tools and in Chinese."""

from collections.abc import Iterable, Sequence

from rankproof.tables.judgments import DETAILS

# Each column of ours, and what else it is called. Compared without case; "-", "_" and blanks are the same.
HEADINGS: dict[str, tuple[str, ...]] = {
    "query_id": (
        "query_id", "qid", "query", "topic", "topic_id", "query_text", "user_id", "user",
        "查询", "查询id", "查询编号", "问题", "问题id", "问题编号",
    ),
    "doc_id": (
        "doc_id", "docid", "doc", "docno", "document", "document_id", "corpus_id", "pid", "item_id", "item",
        "product_id", "文档", "文档id", "文档编号",
    ),
    "grade": (
        "grade", "rating", "relevance", "rel", "label", "judgment", "judgement",
        "等级", "相关性", "相关度", "标注",
    ),
    "subtopic": (
        "subtopic", "subtopic_id", "intent", "intent_id", "aspect", "aspect_id",
        "子主题", "子主题编号", "子话题", "意图", "意图编号", "方面",
    ),
    "judgment_group": ("group", "jg", "ujg", "judgment_group", "组"),
    "judgment_subgroup": ("subgroup", "jsg", "ujsg", "judgment_subgroup", "子组"),
    "rank": ("rank", "position", "doc_position", "排名", "名次", "位置"),
    "score": ("score", "similarity", "prediction", "得分", "分数"),
    "state": ("state", "status", "状态"),
    "run": ("run", "system", "tag", "run_id", "snapshot_name", "系统"),
    "rater": ("rater", "judge", "annotator", "标注员"),
    "basis": ("basis", "reason", "依据"),
    "doc_version": ("doc_version", "文档版本"),
    "rubric_version": ("rubric_version", "标准版本"),
    "judged_at": ("judged_at", "标注时间"),
    "source": ("source", "来源"),
    "pooled": ("pooled",),
    "text": ("text", "query_text", "query", "question", "body", "内容", "文本", "问题"),
    "title": ("title", "标题"),
    "need": ("need", "information_need", "信息需求"),
    "tags": ("tags", "标签"),
    "weight": ("weight", "权重"),
    "expected": ("expected", "期望"),
    "cluster": ("cluster", "簇"),
    "version": ("version", "hash", "版本"),
    "valid_from": ("valid_from", "生效日期"),
    "valid_until": ("valid_until", "失效日期"),
    "categories": ("categories", "category", "genres", "genre", "category_id", "类目", "类别", "分类"),
    "group": ("group", "group_id", "provider", "分组", "群组"),
    "popularity": ("popularity", "interactions", "n_interactions", "热度", "流行度", "交互次数"),
    "vector": ("vector", "embedding", "向量"),
    "_id": ("_id", "id", "编号"),
}  # fmt: skip  # a table, read row by row

# What is looked for in judgments and in runs, in this order.
JUDGMENT_COLUMNS = ("query_id", "doc_id", "grade", "subtopic", *DETAILS, "pooled")
RUN_COLUMNS = ("query_id", "doc_id", "rank", "score", "state", "run")


def folded(name: str) -> str:
    """A heading as it is compared."""
    return name.strip().strip("\ufeff").casefold().replace("-", "_").replace(" ", "_")


_KNOWN = frozenset(folded(alias) for aliases in HEADINGS.values() for alias in aliases)


def known_heading(name: str) -> bool:
    """True for a heading that we have a use for."""
    return folded(name) in _KNOWN


def is_header(cells: Sequence[str]) -> bool:
    """True where at least two cells, or the only one, are headings that we know."""
    found = sum(known_heading(cell) for cell in cells)
    return found >= 2 or (found == 1 and len(cells) == 1)


def columns_by_role(names: Iterable[str], wanted: Sequence[str]) -> dict[str, str]:
    """For each wanted column the name that it has here; earlier spellings win, no name serves twice."""
    here = {folded(name): name for name in reversed(list(names))}
    found: dict[str, str] = {}
    for column in wanted:
        for alias in HEADINGS[column]:
            if alias in here and here[alias] not in found.values():
                found[column] = here[alias]
                break
    return found
