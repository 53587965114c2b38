/** Upper bound on the parts of a split model; real models have far fewer. */
const mostParts = 200
/** Maximum length of the stem. With extension, part number and `.part` the name must fit into 255 bytes. */
const mostStemBytes = 200

const PART = /-(\d{5})-of-(\d{5})(?=\.gguf$)/i
/** Device names on Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * Convert an untrusted name into one that is safe on every system and ends in `.gguf`: no folders, no
 * invisible or reserved characters, no hidden file, and limited in length.
 */
export function safeName(wish: string): string {
  const last = wish.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const bare = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}<>:"|?*]/gu, '')
    .replace(/\.part$/i, '')
    .replace(/\.gguf$/i, '')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '')
  const number = PART.exec(`${bare}.gguf`)?.[0] ?? ''
  const stem = cut(bare.slice(0, bare.length - number.length), mostStemBytes).trimEnd()
  const named = stem === '' ? 'model' : stem
  return `${DEVICES.test(named) ? '_' : ''}${named}${number}.gguf`
}

function cut(text: string, bytes: number): string {
  let end = 0
  for (const letter of text) {
    bytes -= Buffer.byteLength(letter)
    if (bytes < 0) return text.slice(0, end)
    end += letter.length
  }
  return text
}

/** Whether a file name belongs to one part of a split model. */
export const isPart = (name: string): boolean => PART.test(name)

/** Return the names of all parts of a split model in order, given any of them; otherwise the name alone. */
export function allPartNames(name: string): string[] {
  const found = PART.exec(name)
  const count = Number(found?.[2] ?? 1)
  if (!found || count < 1 || count > mostParts || Number(found[1]) > count) return [name]
  const before = name.slice(0, found.index)
  const after = name.slice(found.index + found[0].length)
  return Array.from({ length: count }, (_, index) => {
    return `${before}-${String(index + 1).padStart(5, '0')}-of-${found[2]}${after}`
  })
}

/** Return the addresses of all parts of a split model in order, given any of them. */
export function allAddresses(address: string): string[] {
  const url = new URL(address)
  return allPartNames(url.pathname).map(path => {
    const other = new URL(url)
    other.pathname = path
    return other.href
  })
}

/** Return the name of a model: its file name without the part number. */
export const modelNameOf = (file: string): string => file.replace(PART, '')

/** Return the file name for an address: the server's name for it, or else the end of the path. */
export function nameOfAddress(address: string, disposition: string | null = null): string {
  const named = disposition === null ? undefined : dispositionName(disposition)
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  return safeName(named ?? decoded(last))
}

function dispositionName(header: string): string | undefined {
  const coded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (coded !== undefined) return decoded(coded)
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header)
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Return the address of the file itself, if the user copied the address of its web page. */
export function fileAddress(address: string): string {
  const url = new URL(address)
  if (/^(www\.)?(huggingface\.co|hf\.co)$/.test(url.hostname))
    url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/')
  url.hash = ''
  return url.href
}

/** Find free names for the files of one model: as given, or all with the same number if one is taken. */
export function freeNames(names: readonly string[], isTaken: (name: string) => boolean): string[] {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? names : names.map(name => numbered(name, number))
    if (!tried.some(isTaken)) return [...tried]
  }
}

const numbered = (name: string, number: number) =>
  name.replace(/((?:-\d{5}-of-\d{5})?\.gguf)$/i, `-${number}$1`)
