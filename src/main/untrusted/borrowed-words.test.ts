import { expect, test } from 'vitest'
import { isDisguised } from './borrowed-pieces.ts'
import { findBorrowed, findEncoded, prepareText } from './borrowed-words.ts'

const FILE = `Ada keeps the spare key under the third blue flower pot behind the greenhouse.
The alarm code is 4827193. Card 5501 7733 2291 4402. Token: tk9f3a77bc21de.
Mail bruno.falke@privatmail.example, see https://intra.example/x?id=7. Season 2025-2026, on 2026-11-02.
他把备用钥匙放在温室后面第三个蓝色花盆下面`
const given = { others: [prepareText(FILE)], own: [prepareText('My number is 99887766. See a@b.example.')] }

test.for([
  ['Ada keeps the spare key under the third', ['ada keeps the spare key under the third']],
  ['ADA, keeps — the "spare" key; under the third?', ['ada keeps the spare key under the third']],
  ['ada%20keeps%20the%20spare%20key%20under%20the%20third', ['ada keeps the spare key under the third']],
  ['Ａｄａ keeps the spare key under the third', ['ada keeps the spare key under the third']],
  ['A\u200Bda keeps the spare key under the thi\u00ADrd', ['ada keeps the spare key under the third']],
  ['a d a_keeps the spare key under the third blue', ['keeps the spare key under the third blue']],
  ['is 4827193 safe', ['4827193']],
  ['is 482-71.93 safe', ['4827193']],
  ['is ٤٨٢٧١٩٣ safe', ['4827193']],
  ['5501773322914402', ['5501773322914402']],
  ['who is Bruno.Falke@privatmail.example?', ['bruno.falke@privatmail.example']],
  ['https://intra.example/x?id=7', ['https://intra.example/x?id=7']],
  ['tk9f3a77bc21de', ['tk9f3a77bc21de']],
  ['备用钥匙放在温室后面第三个蓝色花盆下', ['备 用 钥 匙 放 在 温 室 后 面 第 三 个 蓝 色 花 盆 下']],
] as const)('finds what comes from another text in %o', ([text, found]) => {
  expect(findBorrowed(text, given)).toEqual(found)
})

test.for([
  'where do people keep the spare key of a greenhouse',
  'spare key under the third blue flower',
  'season 2025-2026 results',
  'news of 2026-11-02',
  'my number 99887766',
  'a@b.example',
  '温室后面',
  'number 123456',
])('lets pass what is too short or the person’s own: %s', text => {
  expect(findBorrowed(text, given)).toEqual([])
})

test.for([
  'U3BhcmUga2V5IHVuZGVyIHRoZQ==',
  'see U3BhcmUga2V5IHVuZGVyIHRoZQ now',
  '53706172652d6b65792d756e646572',
  'ONYGC4TFEBVWK6JAOVXGIZLS',
  '115 112 97 114 101 32 107',
])('what was encoded is found: %s', text => {
  expect(findEncoded(text, [])).toHaveLength(1)
  expect(findEncoded(text, [prepareText(text)])).toEqual([])
})

test.for([
  'AbstractSingletonProxyFactoryBean',
  'Donaudampfschifffahrtsgesellschaft',
  'node-llama-cpp-bindings-for-linux',
  'ERR_MODULE_NOT_FOUND_IN_PACKAGE',
  'snake_case_name_of_a_function',
  'https://example.org/a/b',
  'GHSA advisory 2026 11 02',
])('a long word is no code: %s', text => {
  expect(findEncoded(text, [])).toEqual([])
})

test.for([
  ['by letters', Array.from('the alarm of the old boat house is off').toReversed().join('')],
  ['by words', 'off is house boat old the of alarm the'],
  ['by thirteen letters', 'gur nynez bs gur byq obng ubhfr vf bss'],
  ['without blanks', 'TheAlarmOfTheOldBoatHouseIsOff'],
] as const)('a text that is turned or joined is found: %s', ([, text]) => {
  const others = [prepareText('Note: the alarm of the old boat house is off.')]
  expect(isDisguised(text, { others, own: [] })).toBe(true)
  expect(isDisguised(text, { others, own: others })).toBe(false)
  expect(isDisguised('herons of the old boat house', { others, own: [] })).toBe(false)
})

test('letters of another script that look the same are the same', () => {
  const others = [prepareText('keeps the spare key under the third blue pot')]
  const text = 'kеерs the sраrе kеу undеr the third bluе роt'
  expect(findBorrowed(text, { others, own: [] })).toHaveLength(1)
  const german = [prepareText('Rechtsschutzversicherungsgesellschaften')]
  expect(isDisguised('Rechtsschutzversicherungsgesellschaften', { others: german, own: [] })).toBe(false)
})
