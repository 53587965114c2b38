const digitsOf = (text: string): number[] => Array.from(text.replaceAll(/\D/g, ''), Number)
const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0)

/** Whether day and month exist in a calendar. */
const isDay = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12

/** Germany's and Croatia's tax number: ISO 7064, modulus 11,10. */
export function hasTaxDigit(text: string): boolean {
  const digits = digitsOf(text)
  let product = 10
  for (const digit of digits.slice(0, -1)) product = (((digit + product) % 10 || 10) * 2) % 11
  return digits.length === 11 && digits[0] !== 0 && (11 - product) % 10 === digits.at(-1)
}

/** Germany's pension insurance number. Letters count as two digits, products by the sum of their digits. */
export function hasPensionDigit(text: string): boolean {
  const bare = text.replaceAll(/[\s-]/g, '')
  const letter = String(bare.charCodeAt(8) - 64).padStart(2, '0')
  const digits = digitsOf(`${bare.slice(0, 8)}${letter}${bare.slice(9, 11)}`)
  const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, at) => {
    const product = weight * (digits[at] ?? 0)
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return sum % 10 === Number(bare.at(-1))
}

/** Spain's letter of DNI and NIE. */
export function hasSpanishLetter(text: string): boolean {
  const bare = text.replaceAll(/[\s.-]/g, '').toUpperCase()
  const number = bare.slice(0, -1).replace(/^[XYZ]/, letter => String('XYZ'.indexOf(letter)))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === bare.at(-1)
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Italy's codice fiscale. */
export function hasItalianLetter(text: string): boolean {
  const bare = text.toUpperCase()
  const sum = Array.from(bare.slice(0, 15)).reduce((total, sign, at) => {
    const value = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65
    return total + (at % 2 === 0 ? (ODD[value] ?? 0) : value)
  }, 0)
  return String.fromCharCode(65 + (sum % 26)) === bare[15]
}

/** France's NIR with its key. The departments of Corsica count as 19 and 18. */
export function hasFrenchKey(text: string): boolean {
  const bare = text.replaceAll(/\s/g, '').toUpperCase().replace('2A', '19').replace('2B', '18')
  if (!/^[1-47-8]\d{14}$/.test(bare)) return false
  const month = Number(bare.slice(3, 5))
  if (month < 1 || (month > 12 && month < 20)) return false
  return 97 - Number(BigInt(bare.slice(0, 13)) % 97n) === Number(bare.slice(13))
}

/** Poland's PESEL. The month includes the century. */
export function hasPeselDigit(text: string): boolean {
  const digits = digitsOf(text)
  const month = (digits[2] ?? 0) * 10 + (digits[3] ?? 0)
  const sum = weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1])
  return sum % 10 === 0 && isDay((digits[4] ?? 0) * 10 + (digits[5] ?? 0), month % 20)
}

/** China's resident number, with a date of birth: ISO 7064, modulus 11,2. */
export function hasChineseDigit(text: string): boolean {
  const digits = digitsOf(text.slice(0, 17))
  const sum = weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
  const isBorn = /^\d{6}(?:18|19|20)\d{2}(\d{2})(\d{2})/.exec(text)
  return (
    isBorn !== null &&
    isDay(Number(isBorn[2]), Number(isBorn[1])) &&
    '10X98765432'[sum % 11] === text.at(-1)?.toUpperCase()
  )
}

const DIHEDRAL = (a: number, b: number): number =>
  a < 5 ? (b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5) : b < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5
const TURNS = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

/** India's Aadhaar: Verhoeff. */
export function hasAadhaarDigit(text: string): boolean {
  const sum = digitsOf(text)
    .toReversed()
    .reduce((total, digit, at) => {
      let turned = digit
      for (let n = 0; n < at % 8; n++) turned = TURNS[turned] ?? 0
      return DIHEDRAL(total, turned)
    }, 0)
  return sum === 0
}

/** Brazil's CPF: two digits, each a sum modulus 11. */
export function hasCpfDigits(text: string): boolean {
  const digits = digitsOf(text)
  if (digits.length !== 11 || new Set(digits).size === 1) return false
  return [9, 10].every(length => {
    const sum = digits.slice(0, length).reduce((total, digit, at) => total + digit * (length + 1 - at), 0)
    return ((sum * 10) % 11) % 10 === digits[length]
  })
}

/** Finland's check character of a personal code. */
export function hasFinnishSign(text: string): boolean {
  const number = Number(text.slice(0, 6) + text.slice(7, 10))
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'[number % 31] === text.at(-1)?.toUpperCase()
}

/** Russia's SNILS. */
export function hasSnilsDigits(text: string): boolean {
  const digits = digitsOf(text)
  const sum = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1])
  return (sum % 101) % 100 === (digits[9] ?? 0) * 10 + (digits[10] ?? 0)
}

/** Switzerland's AHV number: the check digit of EAN-13. */
export const hasAhvDigit = (text: string): boolean =>
  weighted(digitsOf(text), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0

/** Belgium's national number, of both centuries. */
export function hasBelgianDigits(text: string): boolean {
  const bare = text.replaceAll(/\D/g, '')
  const check = Number(bare.slice(9))
  return [bare.slice(0, 9), `2${bare.slice(0, 9)}`].some(each => 97 - (Number(each) % 97) === check)
}

/** Mexico's CURP. */
export function hasCurpDigit(text: string): boolean {
  const signs = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
  const sum = Array.from(text.toUpperCase().slice(0, 17)).reduce(
    (total, sign, at) => total + signs.indexOf(sign) * (18 - at),
    0,
  )
  return (10 - (sum % 10)) % 10 === Number(text.at(-1))
}

/** Whether a six-digit group is a date: year, month, day. */
export const isBirthday = (text: string): boolean => isDay(Number(text.slice(4, 6)), Number(text.slice(2, 4)))
