import { many } from '../../../shared/text/amounts.ts'
import { languageOf } from './language-of.ts'
import { textIn, writeBlock, writeCode, writeWords } from './plain-markdown.ts'
import { tellFailed } from './tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** New texts up to this size are shown. */
const SHOWN = { lines: 12, characters: 600 }

/** Say which file was written, and show a short one. */
export function tellWriting(input: Input, { ok, text }: Result): string {
  const path = textIn(input, 'path')
  const content = textIn(input, 'content')
  if (!ok) return tellUnwritten(path, text)
  const [, verb = '', name = '', size = '', rest = ''] =
    /^(Created|Replaced) ([^]*) \((\d[^()]*)\)\.([^]*)$/.exec(text) ?? []
  if (verb === '') return writeBlock(text).block
  const did =
    verb === 'Created' ? `I created ${writeCode(name)}` : `I replaced the text of ${writeCode(name)}`
  const notes = rest.trim() === '' ? '' : ` ${writeWords(rest)}`
  if (content === '') return `${did}. It is empty.${notes}`
  const isShort = content.length <= SHOWN.characters && content.split('\n').length <= SHOWN.lines
  if (!isShort) return `${did} (${size}).${notes}`
  const shown = content.replace(/\r?\n$/, '')
  return `${did} (${size}).${notes} It says:\n\n${writeBlock(shown, { language: languageOf(name) }).block}`
}

/** Say what an edit changed, as a diff. */
export function tellPatching(input: Input, { ok, text }: Result): string {
  const path = textIn(input, 'path')
  if (!ok) return tellUnpatched(path, text)
  const [, name = '', places = '', notes = '', diff = ''] =
    /^Changed ([^]*?)(?: in (\d+) places)?\.((?: It keeps its encoding \([^\n()]*\)\.)?(?: It changed what [^\n]* runs\.)?)\n((?:@@|Only line endings)[^]*)$/.exec(
      text,
    ) ?? []
  if (name === '') return writeBlock(text).block
  const where = places === '' ? '' : ` in ${places} places`
  const note = notes === '' ? '' : ` ${writeWords(notes)}`
  if (diff.startsWith('Only')) return `I changed ${writeCode(name)}${where}.${note} ${diff}`
  return `I changed ${writeCode(name)}${where}.${note} The difference:\n\n${writeBlock(diff, { language: 'diff' }).block}`
}

function tellUnwritten(path: string, reason: string): string {
  const file = path === '' ? 'that file' : writeCode(path)
  const outside =
    /^([^]*) is outside the folder of this chat \(([^]*)\); files are only written inside it\.$/.exec(reason)
  if (outside)
    return `${writeCode(outside[1] ?? '')} is outside the folder of this chat, ${writeCode(outside[2] ?? '')}. I write files only inside it, so nothing was written.`
  const folder = /^([^]*) is a folder, so it cannot be written as a file\.$/.exec(reason)?.[1]
  if (folder !== undefined) return `${writeCode(folder)} is a folder, so I cannot write it as a file.`
  return tellFailed(`write ${file}`, reason)
}

const UNCHANGED: readonly [RegExp, (file: string, found: RegExpExecArray) => string][] = [
  [
    /^old_string was not found\./,
    file => `I did not find the text to replace in ${file}, so nothing was changed.`,
  ],
  [
    /^old_string occurs (\d+) times \(lines ([\d, …and]*)\)/,
    (file, found) =>
      `The text to replace is in ${file} ${many(Number(found[1]), 'time')} (lines ${found[2] ?? ''}), so nothing was changed. Say which one you mean, or that all are to be replaced.`,
  ],
  [
    /^old_string and new_string are the same/,
    file => `The old and the new text are the same, so nothing was changed in ${file}.`,
  ],
  [
    /^old_string is empty/,
    file => `It was not clear which text to replace in ${file}, so nothing was changed.`,
  ],
  [/^The file says that already/, file => `${file} says that already, so nothing was changed.`],
]

/** A sentence for an edit that did not apply to a text; else undefined. `file` names the text. */
export function tellUnchanged(file: string, reason: string): string | undefined {
  for (const [pattern, say] of UNCHANGED) {
    const found = pattern.exec(reason)
    if (found) return say(file, found)
  }
  return undefined
}

function tellUnpatched(path: string, reason: string): string {
  const file = path === '' ? 'the file' : writeCode(path)
  const unchanged = tellUnchanged(file, reason)
  if (unchanged !== undefined) return unchanged
  const folder = /^([^]*) is a folder, not a file\.$/.exec(reason)?.[1]
  if (folder !== undefined) return `${writeCode(folder)} is a folder, so there is no text to change in it.`
  const [, name = '', size = ''] = /^([^]*) is not text \(([^()]*)\)\./.exec(reason) ?? []
  if (name !== '') return `${writeCode(name)} is not a text (${size}), so I cannot change it.`
  return reason.includes(' is outside the folder of this chat (')
    ? tellUnwritten(path, reason)
    : tellFailed(`change ${file}`, reason)
}
