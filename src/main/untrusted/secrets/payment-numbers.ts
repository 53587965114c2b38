/** A number found in a text, in UTF-16 units; `to` is exclusive. */
type Span = { from: number; to: number }

/** Card numbers by the issuers’ first digits: Visa, Mastercard, Discover, American Express. */
const CARD =
  /(?<![\w.+/=-])(?:(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6(?:011|5\d{2}))(?:\d{12}|(?: \d{4}){3}|(?:-\d{4}){3})|3[47]\d{2}(?:\d{11}| \d{6} \d{5}|-\d{6}-\d{5}))(?![\w/=]|[.-]\d)/g

/** Words that make a number of this form something else. One in ten has a valid check digit by chance. */
const OTHER_NUMBER =
  /\b(?:order|ticket|invoice|tracking|shipment|parcel|message|account|user|chat|build|trace|bestellung|bestellnummer|auftrag|rechnung|id)s?(?:[ _-]?(?:id|no|nr|number))?["']?[ .:#=]{0,4}["']?$/i

/** An international bank account number, whole or in groups of four. */
const IBAN =
  /(?<![\w/+-])[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![\w/+=])/g

/** Lengths of IBANs by country. Source: the IBAN registry of SWIFT. Others have 15 to 34 characters. */
const LENGTHS: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 16,
  CH: 21,
  CZ: 24,
  DE: 22,
  DK: 18,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  IE: 22,
  IT: 27,
  LU: 20,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  SE: 24,
  TR: 26,
  UA: 29,
}

/** Find card numbers and IBANs with valid check digits. */
export function* paymentNumbersIn(text: string): Generator<Span> {
  for (const { index, 0: found } of text.matchAll(CARD)) {
    const digits = found.replaceAll(/\D/g, '')
    if (hasLuhnDigit(digits) && !OTHER_NUMBER.test(text.slice(Math.max(0, index - 40), index)))
      yield { from: index, to: index + found.length }
  }
  for (const { index, 0: found } of text.matchAll(IBAN)) {
    // A word in capitals may follow a number in groups.
    const groups = found.split(' ')
    while (groups.length > 3 && !isIban(groups.join(''))) groups.pop()
    if (isIban(groups.join(''))) yield { from: index, to: index + groups.join(' ').length }
  }
}

/** Whether a text contains the number of a payment card or of a bank account. */
export const holdsPaymentNumber = (text: string): boolean => !paymentNumbersIn(text).next().done

/** ISO/IEC 7812: every second digit from the right counts twice. */
function hasLuhnDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  // Equal digits are a placeholder.
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits)
}

/** ISO 13616: move the first four characters to the end, count letters from 10; modulo 97 gives 1. */
function isIban(text: string): boolean {
  const length = LENGTHS[text.slice(0, 2)]
  if (length === undefined ? text.length < 15 || text.length > 34 : text.length !== length) return false
  let rest = 0
  for (const sign of text.slice(4) + text.slice(0, 4))
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}
