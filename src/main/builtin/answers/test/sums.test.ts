import { expect, test } from 'vitest'
import { answerSum } from '../sums/answer-sum.ts'
import { replaceNumberWords } from '../sums/number-words.ts'

test('whole numbers are worked out as BigInt does, in every order of precedence', () => {
  for (let at = 0; at < 300; at++) {
    const [a, b, c] = [at * 7 + 3, (at * 13) % 97, (at * 31) % 53].map(BigInt) as [bigint, bigint, bigint]
    const said = (value: bigint) =>
      value
        .toString()
        .replace('-', '−')
        .replace(/\B(?=(\d{3})+$)/g, value > 9999n || value < -9999n ? ',' : '')
    expect(answerSum(`${a} + ${b} * ${c}`)).toMatch(new RegExp(`= ${said(a + b * c)}$`))
    expect(answerSum(`(${a} - ${b}) * ${c}`)).toMatch(new RegExp(`= ${said((a - b) * c)}$`))
  }
})

test.for([
  ['0.1 + 0.2', '0.1 + 0.2 = 0.3'],
  ['1.10 + 2.20', '1.1 + 2.2 = 3.3'],
  ['0.1 * 3', '0.1 × 3 = 0.3'],
  ['1 / 8', '1 ÷ 8 = 0.125'],
  ['2 / 3', '2 ÷ 3 ≈ 0.666667'],
  ['$0.10 * 3', '$0.10 × 3 = $0.30'],
  ['$10 / 3', '$10 ÷ 3 ≈ $3.33'],
  ['(-2)^3', '(−2)^3 = −8'],
  ['-2^2', '−2^2 = −4'],
  ['2^3^2', '2^3^2 = 512'],
  ['2^-2', '2^−2 = 0.25'],
  ['10 - 20%', '10 − 20% = 8'],
  ['5! / 4!', '5! ÷ 4! = 5'],
] as const)('%s', ([asked, said]) => {
  expect(answerSum(asked)).toBe(said)
})

test.for(['1/0', '5 mod 0', '0^-1', '1 / (3 - 3)', '2 + 4 / 0'])('a division by zero is said: %s', asked => {
  expect(answerSum(asked)).toContain('cannot be divided by zero')
})

test.for(['9^999999999', '9^9^9^9', '99999999999^99', '200!', `2^200 * 2^200`])(
  'nothing huge is made: %s',
  asked => {
    expect(answerSum(asked)).toContain('too long a number')
  },
)

test.for([
  '2024-01-05',
  '3-4',
  '24/7',
  '192.168.0.1',
  '10.0.0.1/24',
  '1.2.3 + 1',
  '555-1234-77',
  '+43 660 123456',
  '12:30 + 5',
  '0x10 + 3',
  '80',
  'five',
  '5 +',
  '* 3',
  '3 of 5',
  '(3 + 4',
  '3 4',
  '2x + 3',
  '$5 + €3',
  'a.txt * 2',
  '12/24/2026',
  '50%',
  '5%%',
  '',
])('no sum: %s', asked => {
  expect(answerSum(asked)).toBeUndefined()
})

test('numbers in words', () => {
  expect(replaceNumberWords('twenty-three minus five')).toBe('23 minus 5')
  expect(replaceNumberWords('one hundred and five')).toBe('105')
  expect(replaceNumberWords('two thousand three hundred')).toBe('2300')
  expect(replaceNumberWords('three and four')).toBe('3 and 4')
  expect(replaceNumberWords('three point five')).toBe('3.5')
  expect(replaceNumberWords('2.5 million')).toBe('2500000')
  expect(replaceNumberWords('someone often')).toBe('someone often')
})
