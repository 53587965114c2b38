import { expect, test } from 'vitest'
import { jsonBlock } from '../json-schema/expected-answer.ts'

test.each([
  ['Here:\n```json\n{"a": 1}\n```\nThat is all.', '{"a": 1}'],
  ['```\n[1]\n```\n```json\n[2]\n```', '[1]'],
  ['```json  \n\n{"a":\n1}\n```', '{"a":\n1}'],
  ['~~~js\nlet a\n~~~\n```json\n[2]\n```', '[2]'],
  ['```json\n[1]\n```\n```json\n[2', '[1]'],
  ['```json\n{"a": 1}', undefined],
  ['{"a": "```"}', undefined],
])('of %j the first block that is closed counts', (text, block) => {
  expect(jsonBlock(text)).toBe(block)
})
