/** Languages for syntax highlighting, by file extension. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'sh bash zsh',
  c: 'c h',
  cpp: 'cpp cc hpp cxx',
  csharp: 'cs',
  css: 'css scss less',
  diff: 'diff patch',
  go: 'go',
  ini: 'ini toml cfg conf',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonl',
  kotlin: 'kt kts',
  markdown: 'md markdown',
  php: 'php',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts tsx mts cts',
  xml: 'xml html htm svg',
  yaml: 'yaml yml',
}
const BY_END = new Map(
  Object.entries(LANGUAGES).flatMap(([language, ends]) =>
    ends.split(' ').map(end => [end, language] as const),
  ),
)
/** File names without an extension, and their language. */
const BY_NAME = new Map([
  ['dockerfile', 'dockerfile'],
  ['gemfile', 'ruby'],
  ['rakefile', 'ruby'],
])

/** The language of a file by its name, for the highlighting of a code block; empty for plain text. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const end = name.slice(name.lastIndexOf('.') + 1)
  return BY_NAME.get(name) ?? (name.includes('.') ? BY_END.get(end) : undefined) ?? ''
}
