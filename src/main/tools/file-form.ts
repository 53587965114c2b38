import type { TextFile } from './text-file.ts'

/** How a text file is written, apart from its words. */
type Form = Pick<TextFile, 'text' | 'encoding' | 'mark' | 'exact'>

/**
 * A new content with the line ends of the file that it replaces, and what the file keeps of its form in words for the person
 * and the model; empty where there is nothing to tell. The byte order mark and the encoding are kept by whoever encodes it.
 */
export function inFormOf(file: Form, content: string): { text: string; keeps: string } {
  const words = file.mark || !content.startsWith('\ufeff') ? content.replace(/^\ufeff/, '') : content
  const plain = words.replaceAll('\r\n', '\n')
  // The same words with Windows line ends: then these are what is wanted.
  const isConversion = words !== plain && plain === file.text
  const isWindows = usesWindowsEnds(file.text)
  const text = isConversion
    ? words
    : isWindows
      ? plain.replaceAll('\n', '\r\n')
      : file.text.includes('\n')
        ? plain
        : words
  const kept = [
    ...(isWindows && text.includes('\r\n') ? ['Windows line ends (CRLF)'] : []),
    ...(file.encoding === 'utf8' ? (file.mark ? ['byte order mark'] : []) : ['encoding (UTF-16)']),
  ]
  const keeps = kept.length > 0 ? `It keeps its ${kept.join(' and its ')}.` : ''
  // Which of the older encodings it was cannot be told from the bytes.
  const changes = file.exact || /^[\0-\x7f]*$/.test(text) ? '' : 'It was not UTF-8, and is now.'
  return { text, keeps: [keeps, changes].filter(Boolean).join(' ') }
}

/** Whether most lines of a text end as on Windows. */
function usesWindowsEnds(text: string): boolean {
  const all = text.split('\n').length - 1
  return (text.split('\r\n').length - 1) * 2 > all
}
