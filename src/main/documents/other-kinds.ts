/** First bytes (as Latin-1) of files that are not documents, and what these are. */
const BEGINNINGS: readonly [string, string][] = [
  ['\u001f\u008b', 'a gzip archive. Unpack it to read what is in it'],
  ['7z¼¯', 'a 7-Zip archive. Unpack it to read what is in it'],
  ['Rar!', 'a RAR archive. Unpack it to read what is in it'],
  ['ý7zXZ', 'an xz archive. Unpack it to read what is in it'],
  ['BZh', 'a bzip2 archive. Unpack it to read what is in it'],
  ['(µ/ý', 'a Zstandard archive. Unpack it to read what is in it'],
  ['ID3', 'a sound file (MP3)'],
  ['OggS', 'a sound file (Ogg)'],
  ['fLaC', 'a sound file (FLAC)'],
  ['\u007fELF', 'a program (ELF)'],
  ['MZ', 'a program (Windows)'],
  ['wOF', 'a font'],
  ['\0\u0001\0\0\0', 'a font'],
  ['OTTO', 'a font'],
  ['\u001aEß£', 'a video (Matroska)'],
  ['PAR1', 'a Parquet file'],
  ['GGUF', 'a model file (GGUF)'],
  ['AT&TFORM', 'a DjVu document, which is not read here. Convert it to PDF to have it read'],
  ['BOOKMOBI', 'a Mobipocket book'],
  ['ITSF', 'a Windows help file (.chm)'],
  ['%!PS', 'a PostScript document. Convert it to PDF to have it read'],
  ['PK', 'a damaged zip archive, or only a part of one'],
]

/** The name of a file type that is no document, by its first bytes (as Latin-1); undefined if unknown. */
export function nameOther(start: string): string | undefined {
  if (start.startsWith('RIFF')) return start.startsWith('WAVE', 8) ? 'a sound file (WAV)' : 'a video (AVI)'
  if (start.startsWith('ftyp', 4)) return 'a video or a sound file (MP4)'
  if (start.startsWith('BOOKMOBI', 60)) return 'a Mobipocket book'
  return BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1]
}

/** A picture's format, with its size if that is near the start; undefined for other files. */
export function namePicture(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 32).toString('latin1')
  if (start.startsWith('\u0089PNG') && bytes.length >= 24)
    return `a picture (PNG, ${bytes.readUInt32BE(16)} x ${bytes.readUInt32BE(20)})`
  if (/^GIF8[79]a/.test(start) && bytes.length >= 10)
    return `a picture (GIF, ${bytes.readUInt16LE(6)} x ${bytes.readUInt16LE(8)})`
  if (start.startsWith('ÿØÿ')) return 'a picture (JPEG)'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'a picture (WebP)'
  if (/^ftyp(?:heic|heix|hevc|mif1|msf1)/.test(start.slice(4))) return 'a picture (HEIC)'
  if (/^ftypavi[fs]/.test(start.slice(4))) return 'a picture (AVIF)'
  if (start.startsWith('BM') && start.slice(6, 10) === '\0\0\0\0') return 'a picture (BMP)'
  if (/^(?:II\*\0|MM\0\*)/.test(start)) return 'a picture (TIFF)'
  if (start.startsWith('\0\0\u0001\0')) return 'a picture (ICO)'
  if (start.startsWith('8BPS')) return 'a picture (Photoshop)'
  return undefined
}

const partName = (part: string): Buffer => Buffer.from(part, 'utf16le')

/** Whether a compound file is a locked docx, xlsx or pptx, which contains the document encrypted. */
export const isLockedOffice = (bytes: Buffer): boolean => bytes.includes(partName('EncryptedPackage'))

const BY_PROGRAM = 'Open it in the program that it was made with, or in LibreOffice, and save it as'
const OLD: readonly [string, string][] = [
  ['WordDocument', `an old Word document (.doc), which is not read here. ${BY_PROGRAM} .docx`],
  ['Workbook', `an old Excel workbook (.xls), which is not read here. ${BY_PROGRAM} .xlsx`],
  ['Book', `a very old Excel workbook (.xls), which is not read here. ${BY_PROGRAM} .xlsx`],
  [
    'PowerPoint Document',
    `an old PowerPoint presentation (.ppt), which is not read here. ${BY_PROGRAM} .pptx`,
  ],
  ['__substg1.0_', 'an Outlook message (.msg). Save it as .eml to have it read'],
  ['VisioDocument', 'an old Visio drawing (.vsd)'],
]

/** The name of a file in an old Microsoft format, judged by the names of its parts. */
export function nameOldOffice(bytes: Buffer): string {
  const found = OLD.find(([part]) => bytes.includes(partName(part)))
  return found?.[1] ?? 'a file in an old format of Microsoft (a compound file), such as an installer'
}
