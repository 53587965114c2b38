import { expect, test } from 'vitest'
import { aSkillToolChat } from '../../../testing/tools/skill-tool-chat.ts'
import { openProduct } from '../product.ts'
import { createDesk } from './desk.ts'

const calls: [string, Record<string, unknown>][] = [
  ['skills_list', {}],
  [
    'skill_manage',
    {
      action: 'create',
      name: 'pack-bag',
      description: 'Steps for pack-bag. Use when the user asks for pack-bag.',
      content: '1. passport\n2. charger',
    },
  ],
  ['skill_manage', { action: 'create', name: 'pack-bag', description: 'Again.', content: '1. x' }],
  ['skills_list', {}],
  ['skill_view', { name: 'pack-bag' }],
  ['skill_view', { name: 'pack bag' }],
  ['skill_view', { name: 'pack-bags' }],
  ['skill_view', { name: 'nothing-like-it' }],
  [
    'skill_manage',
    { action: 'patch', name: 'pack-bag', old_string: '2. charger', new_string: '2. charger\n3. tickets' },
  ],
  ['skill_view', { name: 'pack-bag' }],
  ['skill_manage', { action: 'patch', name: 'pack-bag', old_string: '9. nothing', new_string: '9. x' }],
  ['skill_manage', { action: 'delete', name: 'gone' }],
  ['skill_manage', { action: 'delete', name: 'pack-bag' }],
  ['skills_list', {}],
]

test('the tools for skills say of a desk what they say of a real library', async () => {
  using real = aSkillToolChat()
  const chat = real.chat()
  const product = openProduct()
  const desk = createDesk()
  product.use(desk)
  const context = {
    workspace: '/',
    home: '/',
    sessionId: 'chat',
    askedId: 1,
    access: 'unconfined' as const,
    signal: new AbortController().signal,
    output: () => {},
  }
  for (const [name, given] of calls) {
    const expected = await callReal(chat, name, given)
    const result = await product.registry.get(name)!.run(given, context)
    const said = (each: typeof expected) => (each.ok ? each.text : each.reason)
    expect({ name, given, ok: result.ok, said: said(result) }).toEqual({
      name,
      given,
      ok: expected.ok,
      said: said(expected),
    })
  }
})

type Chat = ReturnType<ReturnType<typeof aSkillToolChat>['chat']>

function callReal(chat: Chat, name: string, given: Record<string, unknown>) {
  if (name === 'skills_list') return chat.list()
  return name === 'skill_view' ? chat.view(String(given['name'])) : chat.manage(given)
}
