import {
  hasAadhaarDigit,
  hasAhvDigit,
  hasBelgianDigits,
  hasChineseDigit,
  hasCpfDigits,
  hasCurpDigit,
  hasFinnishSign,
  hasFrenchKey,
  hasItalianLetter,
  hasPensionDigit,
  hasPeselDigit,
  hasSnilsDigits,
  hasSpanishLetter,
  hasTaxDigit,
  isBirthday,
} from './check-digits.ts'
import { LABELS } from './secret-words.ts'

type Span = { from: number; to: number }
type Form = readonly [form: RegExp, check: (number: string) => boolean]

const alone = (form: string): RegExp =>
  new RegExp(String.raw`(?<![\w/.+#-])(?:${form})(?![\w/]|[.,-]\w)`, 'g')
const always = () => true

/** Numbers that are recognised by their form and check digits. */
const FORMS: readonly Form[] = [
  // United States: no area 000, 666 or 9xx, no group 00, no serial 0000.
  [alone(String.raw`(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}`), always],
  // Germany, pension insurance.
  [alone(String.raw`\d{2}[ ]?\d{6}[ ]?[A-Z][ ]?\d{3}`), hasPensionDigit],
  // Spain.
  [alone(String.raw`\d{8}[ -]?[A-HJ-NP-TV-Z]|[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]`), hasSpanishLetter],
  // Italy.
  [alone(String.raw`[A-Za-z]{6}\d{2}[A-EHLMPR-Ta-ehlmpr-t]\d{2}[A-Za-z]\d{3}[A-Za-z]`), hasItalianLetter],
  // France.
  [alone(String.raw`[1-478] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}`), hasFrenchKey],
  // United Kingdom.
  [
    alone(
      String.raw`(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:\d{6}| \d{2} \d{2} \d{2} )[A-D]`,
    ),
    always,
  ],
  // China.
  [alone(String.raw`\d{17}[\dXx]`), hasChineseDigit],
  // Brazil.
  [alone(String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`), hasCpfDigits],
  // Finland.
  [alone(String.raw`[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]`), hasFinnishSign],
  // Russia.
  [alone(String.raw`\d{3}-\d{3}-\d{3} \d{2}`), hasSnilsDigits],
  // Switzerland.
  [alone(String.raw`756\.\d{4}\.\d{4}\.\d{2}`), hasAhvDigit],
  // Belgium.
  [alone(String.raw`\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}`), hasBelgianDigits],
  // Mexico.
  [alone(String.raw`[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d`), hasCurpDigit],
  // South Korea.
  [alone(String.raw`\d{6}-[1-8]\d{6}`), isBirthday],
  // India: groups of an Aadhaar number.
  [alone(String.raw`[2-9]\d{3} \d{4} \d{4}`), hasAadhaarDigit],
]

/** Words that show that the number after them is another kind of number. */
const OTHER =
  /(?:orders?|tickets?|invoices?|tracking|parts?|shipments?|parcels?|serials?|models?|isbn|phone|tel|article|items?|sku|case|bestell\w*|auftrag\w*|rechnung\w*|artikel\w*|teile\w*|pedidos?|commande|ordine|заказ\p{L}*|订单号?|注文番号)(?:[ _-]?(?:id|no|nr|number|numbers|nummer))?["']?[ .:#=]{0,4}["']?$/iu

/** A number after its name, such as “passport number”. */
const NAMED =
  /^[\s.:=#–—(："'“-]{0,4}(?:(?:is|ist|lautet|es|est|è|é|to|no|nr|number|card|on|это|на|هو)\.?(?![\p{L}\d])|[は是为为がが은는]|:)?[\s:=#"'“(]{0,3}((?=(?:[^\d\n]{0,3}\d){6})[A-Z]{0,3}\d[A-Z\d]*(?:[ .-][A-Z\d]+){0,5})/u
/** Digits that are a date, not a number. */
const NO_NUMBER = /^(?:19|20)\d{2}(?:[ .-]\d{1,2}){2}$|^\d{1,2}[.-]\d{1,2}[.-]\d{4}$/

/** Find personal numbers issued by states, by their form and check digits, or by the words before them. */
export function* nationalNumbersIn(text: string): Generator<Span> {
  for (const [form, check] of FORMS)
    for (const { index, 0: number } of text.matchAll(form))
      if (check(number) && !OTHER.test(text.slice(Math.max(0, index - 40), index)))
        yield { from: index, to: index + number.length }
  for (const { index, 0: label } of text.matchAll(LABELS.state)) {
    const from = index + label.length
    const number = NAMED.exec(text.slice(from, from + 60))
    if (!number?.[1] || NO_NUMBER.test(number[1])) continue
    if (!isLong(number[1]) || (isAWord(label) && !isPlainNumber(number[1]))) continue
    yield { from: from + number[0].length - number[1].length, to: from + number[0].length }
  }
}

const isLong = (number: string): boolean => number.replaceAll(/\D/g, '').length >= 6

/** Whether a label in lower case may be an ordinary word. */
const isAWord = (label: string): boolean => /^(?:tin|pan|sin|rg|nie|rfc|passport)$/.test(label)
/** Whether digits are a German tax number or a Polish PESEL, which have no other form. */
const isPlainNumber = (digits: string): boolean => hasTaxDigit(digits) || hasPeselDigit(digits)
