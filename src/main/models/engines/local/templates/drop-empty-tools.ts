/** An empty list of tools between tags. */
const emptyTags = /<tools>\s*(?:\[\s*\])?\s*<\/tools>/
/** The heading above a list of tools. */
const heading = /(?:(?<!#)#+ )?Available (?:tools|functions):?\n/gi
/** The rest of an empty list: a sentence that ends in a colon, remarks, brackets and fences. */
const rest =
  /^(?:\/\/[^\n]{0,200}\n+|(?!\/\/)[^\n:<>[\]{}]{1,200}:\n+|```\w{0,20}\n|\[\s{0,20}\]\n|namespace \w{1,40} \{\s{0,20}\} \/\/ [^\n<]{1,80})*(?:```)?(?=<)/

/**
 * Remove the announcement of an empty tool list, which contradicts our own list. Our tools are announced in
 * the system text. Some templates also announce tools, in their own system turn or around our text. Because
 * they get no tools, their list is empty.
 */
export function dropEmptyTools(frame: string): string {
  return dropList(dropTurn(frame))
}

/** Remove a system turn of the template's own before ours. */
function dropTurn(frame: string): string {
  const head = /<[^<>\s]+>[^<>]{0,30}$/.exec(frame)?.[0]
  const first = head === undefined ? -1 : frame.indexOf(head)
  if (head === undefined || first < 0 || first + head.length >= frame.length) return frame
  const own = frame.slice(first, -head.length)
  return emptyTags.test(own) ? frame.slice(0, first) + head : frame
}

function dropList(frame: string): string {
  for (const found of frame.matchAll(heading)) {
    const from = found.index + found[0].length
    const [list] = rest.exec(frame.slice(from, from + 1_000)) ?? []
    if (list !== undefined && list !== '')
      return frame.slice(0, found.index).trimEnd() + frame.slice(from + list.length)
  }
  return frame
}
