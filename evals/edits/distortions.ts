/**
 * What models do to both texts of an edit, the old one and the new one. `quoted` is the old text as it should
 * be.
 */
export type Distortion = { name: string; distort(text: string, quoted: string): string }

const eachLine = (change: (line: string) => string) => (text: string) =>
  text.split('\n').map(change).join('\n')
const indents = (change: (indent: string) => string) =>
  eachLine(line => line.replace(/^[\p{Zs}\t]+/u, change))
/** The blanks that all lines of a text start with. */
const commonIndent = (text: string) =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => /^[\p{Zs}\t]*/u.exec(line)![0])
    .reduce((least, indent) => (indent.length < least.length ? indent : least))

/** The distortions, each alone, as models make them. */
export const DISTORTIONS: readonly Distortion[] = [
  { name: 'none', distort: text => text },
  {
    name: 'less deep',
    distort: (text, quoted) => {
      const less = commonIndent(quoted).length
      return eachLine(line => line.slice(Math.min(less, line.length - line.trimStart().length)))(text)
    },
  },
  { name: 'half as deep', distort: indents(indent => indent.slice(0, Math.ceil(indent.length / 2))) },
  { name: 'twice as deep', distort: indents(indent => indent + indent) },
  { name: 'two blanks a level', distort: indents(indent => indent.replace(/\t| {4}/g, '  ')) },
  { name: 'blanks for tabs', distort: indents(indent => indent.replaceAll('\t', '    ')) },
  { name: 'tabs for blanks', distort: indents(indent => indent.replace(/ {4}| {2}/g, '\t')) },
  { name: 'no depth', distort: indents(() => '') },
  { name: 'first line cut', distort: text => text.trimStart() },
  { name: 'CRLF', distort: text => text.replaceAll('\n', '\r\n') },
  { name: 'no blanks at the end', distort: eachLine(line => line.trimEnd()) },
  { name: 'blanks at the end', distort: eachLine(line => (line === '' ? line : `${line}  `)) },
  { name: 'no last line end', distort: text => text.replace(/\n$/, '') },
  { name: 'plain quotes', distort: text => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'") },
  { name: 'plain dashes', distort: text => text.replace(/[–—]/g, '-') },
  { name: 'plain blanks', distort: text => text.replace(/[\u00a0\u3000]/g, ' ') },
  { name: 'accents composed', distort: text => text.normalize('NFC') },
  { name: 'accents apart', distort: text => text.normalize('NFD') },
  {
    name: 'half width',
    distort: text =>
      text.replace(/[\uff01-\uff5e]/g, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)),
  },
]

/** Distortions that a model makes all at once. */
export const TOGETHER = [
  'no depth',
  'no blanks at the end',
  'plain quotes',
  'plain dashes',
  'plain blanks',
  'accents composed',
]
