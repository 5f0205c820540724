"""Reports: results become plain blocks, and blocks become a page, a terminal table or Markdown."""
