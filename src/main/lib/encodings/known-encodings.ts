/** A legacy encoding: its name for users and iconv, the languages written in it, and its rarity in nats. */
export type KnownEncoding = { name: string; languages: readonly string[]; rare: number; isWide: boolean }

const WESTERN = 'de fr es pt it nl da sv nb fi is et ca sq ga gl af fo lb br cy en'.split(' ')
const CENTRAL = 'pl cs sk hu ro hr sl de en'.split(' ')
const CYRILLIC = 'ru uk bg sr be mk en'.split(' ')

const oneByte = (name: string, languages: readonly string[], rare = 0): KnownEncoding => ({
  name,
  languages,
  rare,
  isWide: false,
})
const wide = (name: string, ...languages: string[]): KnownEncoding => ({
  name,
  languages,
  rare: 0,
  isWide: true,
})

/** The legacy encodings to guess from, likeliest first. If several give the same text, the first wins. */
export const KNOWN_ENCODINGS: readonly KnownEncoding[] = [
  oneByte('windows-1252', WESTERN),
  wide('GBK', 'zh', 'tw'),
  wide('GB18030', 'zh', 'tw'),
  wide('Shift_JIS', 'ja'),
  wide('Big5', 'tw'),
  wide('EUC-KR', 'ko'),
  wide('EUC-JP', 'ja'),
  oneByte('windows-1251', CYRILLIC),
  oneByte('KOI8-R', ['ru', 'bg', 'en'], 1),
  oneByte('KOI8-U', ['uk', 'ru', 'be'], 2),
  oneByte('windows-1250', CENTRAL),
  oneByte('ISO-8859-2', CENTRAL, 1),
  oneByte('windows-1254', ['tr', 'ku', 'en']),
  oneByte('windows-1253', ['el', 'en']),
  oneByte('ISO-8859-7', ['el'], 1),
  oneByte('windows-1255', ['he', 'yi', 'en']),
  oneByte('windows-1256', ['ar', 'fa', 'en']),
  oneByte('ISO-8859-6', ['ar'], 2),
  oneByte('windows-1257', ['lt', 'lv', 'et'], 1),
  oneByte('windows-1258', ['vi'], 1),
  oneByte('windows-874', ['th', 'en']),
  oneByte('ISO-8859-15', WESTERN, 1),
  oneByte('ISO-8859-9', ['tr'], 1),
  oneByte('ISO-8859-3', ['eo', 'mt'], 3),
  oneByte('CP850', WESTERN, 2),
  oneByte('CP437', WESTERN, 2),
  oneByte('CP852', CENTRAL, 2),
  oneByte('CP866', CYRILLIC, 2),
  oneByte('ISO-8859-5', CYRILLIC, 3),
  oneByte('macintosh', WESTERN, 3),
  oneByte('x-mac-cyrillic', CYRILLIC, 8),
]

/** Return the name of an encoding in iconv-lite. */
export const nameInLibrary = (name: string): string => (name === 'x-mac-cyrillic' ? 'maccyrillic' : name)
