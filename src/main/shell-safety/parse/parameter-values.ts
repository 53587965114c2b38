/** Apply an operator of `${name…}` that changes a value: `%` `%%` `#` `##` `/` `//` `,` `,,` `^` `^^`. */
export function changeValue(value: string, operator: string, given: string): string | undefined {
  const isGreedy = given.startsWith(operator)
  const rest = isGreedy ? given.slice(1) : given
  switch (operator) {
    case ',':
      return isGreedy ? value.toLowerCase() : value.slice(0, 1).toLowerCase() + value.slice(1)
    case '^':
      return isGreedy ? value.toUpperCase() : value.slice(0, 1).toUpperCase() + value.slice(1)
    case '#':
      return cutPrefix(value, rest, isGreedy)
    case '%':
      return cutSuffix(value, rest, isGreedy)
    case '/': {
      const [, pattern = '', by = ''] = /^((?:[^/\\]|\\.)*)(?:\/(.*))?$/s.exec(rest) ?? []
      return pattern === '' ? value : replaceMatches(value, pattern, by, isGreedy)
    }
    default:
      return undefined
  }
}

/** Maximum length of values matched against wildcards, to save time. */
const MAX_CHARS = 300

function cutPrefix(value: string, pattern: string, isLongest: boolean): string | undefined {
  if (value.length > MAX_CHARS) return undefined
  const lengths = Array.from({ length: value.length + 1 }, (_, at) => at)
  const found = (isLongest ? lengths.toReversed() : lengths).find(at => matches(pattern, value.slice(0, at)))
  return found === undefined ? value : value.slice(found)
}

function cutSuffix(value: string, pattern: string, isLongest: boolean): string | undefined {
  if (value.length > MAX_CHARS) return undefined
  const starts = Array.from({ length: value.length + 1 }, (_, at) => at)
  const found = (isLongest ? starts : starts.toReversed()).find(at => matches(pattern, value.slice(at)))
  return found === undefined ? value : value.slice(0, found)
}

function replaceMatches(value: string, pattern: string, by: string, isGlobal: boolean): string | undefined {
  // Only plain text is replaced, not patterns with wildcards.
  if (/[*?[]/.test(pattern)) return undefined
  return isGlobal ? value.replaceAll(pattern, () => by) : value.replace(pattern, () => by)
}

/** Match a whole text against `*` and `?`. */
function matches(pattern: string, text: string): boolean {
  let [at, from, star, marked] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[from] === '?' || (pattern[from] === text[at] && pattern[from] !== '*')) {
      at++
      from++
    } else if (pattern[from] === '*') {
      star = from++
      marked = at
    } else if (star >= 0) {
      from = star + 1
      at = ++marked
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}
