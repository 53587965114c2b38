/** One thing that was pasted or dropped: a file, or a folder. Its path is known in the desktop app only. */
export type Given = { name: string; file: File; isFolder: boolean; path: string }

type Kind =
  | 'picture'
  | 'PDF'
  | 'sound'
  | 'video'
  | 'folder'
  | 'document'
  | 'other'
  | 'empty'
  | 'long'
  | 'unreadable'

/** What became of what was given: the texts of files that can be sent, and what was left out. */
export type Taken = { texts: { name: string; text: string }[]; left: { name: string; kind: Kind }[] }

const ENDS: readonly (readonly [kind: Kind, ends: RegExp])[] = [
  ['picture', /\.(png|jpe?g|gif|webp|avif|heic|bmp|tiff?|svg|ico)$/i],
  ['PDF', /\.pdf$/i],
  ['document', /\.(docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|pages|numbers|key)$/i],
  ['video', /\.(mp4|mov|mkv|webm|avi)$/i],
  ['sound', /\.(mp3|wav|ogg|flac|m4a|opus)$/i],
]

function kindOf({ file, isFolder }: Given): Kind | undefined {
  if (isFolder) return 'folder'
  if (file.type.startsWith('image/')) return 'picture'
  if (file.type === 'application/pdf') return 'PDF'
  if (file.type.startsWith('audio/')) return 'sound'
  // The system may call a file of TypeScript a video.
  if (file.type.startsWith('video/') && !/\.m?ts$/i.test(file.name)) return 'video'
  return ENDS.find(([, ends]) => ends.test(file.name))?.[0]
}

/** Read the text files among what was given, up to `room` characters in all; the rest is left out. */
export async function takeTexts(given: readonly Given[], room: number): Promise<Taken> {
  const taken: Taken = { texts: [], left: [] }
  let free = room
  for (const each of given) {
    const { name } = each
    const kind = kindOf(each)
    const read = kind === undefined ? await readText(each.file, room) : kind
    if (typeof read === 'string') taken.left.push({ name, kind: read })
    else if (read.text.length > free) taken.left.push({ name, kind: 'long' })
    else {
      taken.texts.push({ name, text: read.text })
      free -= read.text.length
    }
  }
  return taken
}

async function readText(file: File, room: number): Promise<{ text: string } | Kind> {
  if (file.size === 0) return 'empty'
  // No character takes more than four bytes.
  if (file.size > 4 * room) return 'long'
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
    return hasControls(text) ? 'other' : { text }
  } catch (error) {
    return error instanceof TypeError ? 'other' : 'unreadable'
  }
}

/** Whether a text has signs of control that no text file has: all but tabs, ends of lines and pages, and those of colours. */
const hasControls = (text: string) =>
  Array.from(text).some(sign => sign < ' ' && !'\t\n\v\f\r\u001b'.includes(sign))

/** The encoding that the mark at the start names, UTF-8 without one. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Files as they stand in a message: each under its name, in a block of its own. */
export function quoteTexts(texts: Taken['texts']): string {
  return texts
    .map(({ name, text }) => {
      const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
      const fence = '`'.repeat(longest + 1)
      return `${name}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}\n`
    })
    .join('\n')
}

const byPath = 'or write its path, so that tools can work with the file'
const SAYS: Readonly<Record<Kind, (name: string) => string>> = {
  picture: name =>
    `Pictures cannot be sent from here, so ${name} was left out. Attach it in a chat of the main window, ${byPath}.`,
  PDF: name =>
    `PDFs cannot be sent from here, so ${name} was left out. Attach it in a chat of the main window, ${byPath}.`,
  sound: name => `Sounds cannot be sent, so ${name} was left out. Write what is said in it, ${byPath}.`,
  video: name => `Videos cannot be sent, so ${name} was left out. Describe it in words, ${byPath}.`,
  folder: name =>
    `Folders cannot be sent, so ${name} was left out. Write its path, so that tools can look into it.`,
  document: name =>
    `${name} is not plain text, so it was left out. Attach it in a chat of the main window, ${byPath}.`,
  other: name =>
    `${name} is no plain text, so it was left out. Write its path, so that tools can work with the file.`,
  empty: name => `${name} is empty, so nothing was put in.`,
  long: name =>
    `${name} is too long for a message. Attach it in a chat of the main window, or write its path, so that it is read in parts.`,
  unreadable: name =>
    `${name} could not be read, so it was left out. Write its path, or copy its text and paste that.`,
}
const MOST_NAMED = 3

/** What was taken and left out, in words for the person, with what can be done instead. */
export function describeTaken({ texts, left }: Taken, how: 'pasted' | 'dropped'): string {
  const put =
    texts.length === 0 ? '' : `The text of ${named(texts.map(each => `“${each.name}”`))} was put in. `
  const [first] = left
  if (!first) return put.trim()
  // A picture in the clipboard has a name that nobody gave it.
  const isNameless = how === 'pasted' && first.kind === 'picture' && /^image\.\w+$/.test(first.name)
  if (left.length === 1)
    return isNameless
      ? `${put}Pictures cannot be sent from here, so the pasted one was left out. Paste it into a chat of the main window.`
      : put + SAYS[first.kind](`“${first.name}”`)
  const all = named(left.map(each => `“${each.name}”${noteOf(each.kind)}`))
  return `${put}Only text can be sent from here, so ${left.length} were left out: ${all}. Attach them in a chat of the main window, or write their paths so that tools can work with them.`
}

const noteOf = (kind: Kind) =>
  kind === 'other' || kind === 'document'
    ? ''
    : ` (${kind === 'empty' ? 'empty' : kind === 'long' ? 'too long' : kind === 'unreadable' ? 'not readable' : `a ${kind}`})`

function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED)
  const more = names.length - shown.length
  const all = more > 0 ? [...shown, `${more} more`] : shown
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)!}`
}

/** The files and folders of a paste or a drop. Call it inside the event, because the browser clears the data afterwards. */
export function givenOf(data: DataTransfer, pathOf: ((file: File) => string) | undefined): Given[] {
  const items = Array.from(data.items).filter(item => item.kind === 'file')
  return items.flatMap(item => {
    const file = item.getAsFile()
    if (!file) return []
    const isFolder = item.webkitGetAsEntry()?.isDirectory === true
    return [{ name: file.name, file, isFolder, path: pathOf?.(file) ?? '' }]
  })
}

/** The words of formatted text; empty where it has none, as a picture of a web page. */
export function wordsOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const each of body.querySelectorAll('script, style')) each.remove()
  for (const each of body.querySelectorAll('br, p, div, li, tr, h1, h2, h3, h4, h5, h6, pre, blockquote'))
    each.append('\n')
  return body.textContent
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
