"""The second column of judgments without a header: an iteration that says nothing, or a subtopic."""

import polars as pl

from rankproof.formats.format import LINE, Columns
from rankproof.formats.problems import SUBTOPICS_UNREAD

QUERY, SUBTOPIC, DOC = "1", "2", "3"


def one_row_a_doc(columns: Columns) -> Columns:
    """The columns with one row a doc, where nobody said that the second one holds subtopics and it plainly does.

    It plainly does where a query has the same doc under several values of it. Rows of a doc under another
    value than that of its first row are set aside, and one finding says so.
    """
    frame = columns.frame
    if columns.named or len(columns.names) != 4 or frame[SUBTOPIC].n_unique() < 2:
        return columns
    again = pl.col(SUBTOPIC) != pl.col(SUBTOPIC).first().over(QUERY, DOC)
    several = frame.filter(again)
    if not len(several):
        return columns
    of_one = frame.filter(pl.col(QUERY) == several[QUERY][0])[SUBTOPIC].unique(maintain_order=True).to_list()
    columns.problems.add(
        SUBTOPICS_UNREAD,
        int(several[LINE][0]),
        count=len(several),
        first_query=several[QUERY][0],
        values=", ".join(of_one[:5]) + (", ..." if len(of_one) > 5 else ""),
    )
    return Columns(frame.filter(~again), columns.named, columns.problems)
