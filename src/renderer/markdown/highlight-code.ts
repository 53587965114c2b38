import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

/** A piece of code: plain text, or text with a scope such as `keyword`. */
export type Piece = string | { scope: string; children: readonly Piece[] }

type Node = { scope?: string; children: (string | Node)[] }

/** Maximum length of highlighted code, in characters. Beyond this, the cost outweighs the benefit. */
const MAX_LENGTH = 60_000

/** Highlight code; undefined if the language is unknown or the code is too long. */
export function highlightCode(code: string, language: string): readonly Piece[] | undefined {
  if (code.length > MAX_LENGTH || !hljs.getLanguage(language)) return undefined
  const result = hljs.highlight(code, { language, ignoreIllegals: true })
  // Use the tree behind the HTML, so that HTML is never inserted into the page.
  const { rootNode } = result._emitter as unknown as { rootNode: Node }
  return piecesOf(rootNode)
}

const piecesOf = (node: Node): readonly Piece[] =>
  node.children.map(child =>
    typeof child === 'string' ? child : { scope: child.scope ?? '', children: piecesOf(child) },
  )
