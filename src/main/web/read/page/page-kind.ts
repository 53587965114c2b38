/** The kinds of text that can come from an address. */
export type PageKind = 'html' | 'feed' | 'json' | 'markdown' | 'code' | 'text' | 'svg'

const CODE_TYPES: Readonly<Record<string, string>> = {
  'text/css': 'css',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'application/x-javascript': 'js',
  'application/ecmascript': 'js',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/yaml': 'yaml',
  'text/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/toml': 'toml',
  'application/x-sh': 'sh',
  'text/x-python': 'python',
}

/** Decide the kind of a text by its content type and its first characters. `language`: for code. */
export function findPageKind(
  text: string,
  contentType: string,
  address: string,
): { kind: PageKind; language?: string } {
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  const start = text.slice(0, 4_096).replace(/^(?:\s|\ufeff|<!--[^]*?-->|<\?[^]*?\?>)+/, '')
  const isMarkup = /^<(?:!doctype|[a-z])/i.test(start)
  const path = URL.parse(address)?.pathname.toLowerCase() ?? ''
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return { kind: 'html' }
  if (/^<(?:rss|feed|rdf:rdf|channel)\b/i.test(start.replace(/^<!doctype[^>]*>\s*/i, '')))
    return { kind: 'feed' }
  if (/^<svg\b/i.test(start) || type === 'image/svg+xml') return { kind: 'svg' }
  if (type === 'text/html' || type === 'application/xhtml+xml') return { kind: 'html' }
  const isJson = /^(?:application|text)\/(?:[\w.+-]+\+)?json5?$|ndjson/.test(type)
  if (
    isJson ||
    (/^[[{]/.test(start) && (type === '' || type === 'text/plain' || type === 'application/octet-stream'))
  )
    return { kind: isJsonFeed(start) ? 'feed' : 'json' }
  if (type === 'text/markdown' || /\.(?:md|markdown|mdx)$/.test(path)) return { kind: 'markdown' }
  if (CODE_TYPES[type] !== undefined || type.endsWith('+xml'))
    return { kind: 'code', language: CODE_TYPES[type] ?? 'xml' }
  if (isMarkup && (type === '' || type === 'application/octet-stream')) return { kind: 'html' }
  return { kind: 'text' }
}

const isJsonFeed = (start: string) => /"version"\s*:\s*"https?:(?:\\?\/){2}jsonfeed\.org/.test(start)
