import { expect, test } from 'vitest'
import { cutUnspaced, dayWords, foldText } from './index-words.ts'

test.for([
  ['Café CAFE\u0301', 'cafe cafe'],
  ['Straße ｆｕｌｌ', 'straße ｆｕｌｌ'],
  ['가나', '가나'],
  ['がぎ', 'がぎ'],
  ['हिन्दी', 'हिन्दी'],
] as const)('%j without case and accents is %j', ([text, expected]) => {
  expect(foldText(text)).toBe(expected)
})

test.for([
  ['plain words stay', 'plain words stay'],
  ['東京', ' 東京 京 '],
  ['Rust言語とは。', 'Rust 言語 語と とは は 。'],
  ['猫', ' 猫 '],
  ['데이터', ' 데이 이터 터 '],
  ['ที่นี่', ' ทน น '],
] as const)('%j is indexed as %j', ([text, expected]) => {
  expect(cutUnspaced(text)).toBe(expected)
})

test('a date is indexed by its day, month and year', () => {
  expect(dayWords(new Date(2026, 2, 5, 23).getTime())).toEqual({
    day: 'onday20260305',
    month: 'inmonth202603',
    anyMonth: 'inmonth03',
    year: 'inyear2026',
  })
})
