import { encodingName, type TextFile } from '../../lib/encodings/decode-text.ts'

/** New content, ready to be written. `keeps` tells user and model what stays of the file's form. */
type Formed = { text: string; encoding: string; mark: boolean; keeps: string }

/**
 * Give new content the line ends, the byte order mark and the encoding of the file that it replaces. An older
 * encoding becomes UTF-8 if it is uncertain, or if the new content starts with a byte order mark.
 */
export function keepFileForm(file: TextFile, content: string): Formed {
  const isOlder = file.encoding !== 'utf8' && !file.mark
  const leaves = isOlder && content.startsWith('\ufeff')
  const words =
    file.mark || leaves || !content.startsWith('\ufeff') ? content.replace(/^\ufeff/, '') : content
  const plain = words.replaceAll('\r\n', '\n')
  // The same text with Windows line ends: the change is a conversion of line ends.
  const isConversion = words !== plain && plain === file.text
  const isWindows = usesWindowsEnds(file.text)
  const text = isConversion
    ? words
    : isWindows
      ? plain.replaceAll('\n', '\r\n')
      : file.text.includes('\n')
        ? plain
        : words
  const isAscii = /^[\0-\x7f]*$/.test(text) && !file.encoding.startsWith('utf16')
  // The old encoding is uncertain, or cannot be written.
  const becomesUtf8 = leaves || (isOlder && (file.isUnsure === true || !file.exact))
  const encoding = becomesUtf8 ? 'utf8' : file.encoding
  const mark = leaves || (file.mark && !becomesUtf8)
  const kept = [
    ...(isWindows && text.includes('\r\n') ? ['Windows line ends (CRLF)'] : []),
    ...(becomesUtf8 || (isOlder && isAscii)
      ? []
      : encoding === 'utf8'
        ? mark
          ? ['byte order mark']
          : []
        : [`encoding (${encodingName(encoding)})`]),
  ]
  const keeps = kept.length > 0 ? `It keeps its ${kept.join(' and its ')}.` : ''
  const was = file.isUnsure || file.encoding === 'utf8' ? 'not UTF-8' : encodingName(file.encoding)
  const isChanged = leaves || ((becomesUtf8 || !file.exact) && !isAscii)
  const changes = isChanged ? `It was ${was}, and is${was === 'not UTF-8' ? '' : ' UTF-8'} now.` : ''
  return { text, encoding, mark, keeps: [keeps, changes].filter(Boolean).join(' ') }
}

/** A sentence on the older encoding that a changed file keeps; empty for UTF-8 or a byte order mark. */
export const keptEncoding = ({ encoding, mark }: TextFile): string =>
  encoding === 'utf8' || mark ? '' : `It keeps its encoding (${encodingName(encoding)}).`

/** Whether most lines of a text end as on Windows. */
function usesWindowsEnds(text: string): boolean {
  const all = text.split('\n').length - 1
  return (text.split('\r\n').length - 1) * 2 > all
}
