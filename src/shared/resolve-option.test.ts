import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHAT_OPTIONS, optionNamed, unsetOptions } from './contract/chats/chat-options.ts'
import { orderValues, resolveOption, type SetValues } from './resolve-option.ts'

test.each(CHAT_OPTIONS)('the default of $name fits its schema, and a chat can set it', option => {
  expect(option.schema.safeParse(option.default).success).toBe(true)
  expect(option.precedence[0]).toBe('chat')
  expect(unsetOptions()).toHaveProperty(option.name, option.default)
})

test('what is set nearest counts, and a folder before the folders around it', () => {
  const folder = [
    { folder: '/home/ada/thesis', value: { web: true } },
    { folder: '/home/ada', value: { web: false } },
  ]
  const set: SetValues<Record<string, boolean>> = {
    chat: { files: true },
    project: null,
    folder,
    settings: { '*': false },
  }
  expect(orderValues(optionNamed('toolsets'), set)).toEqual([
    { level: 'chat', value: { files: true } },
    { level: 'folder', folder: '/home/ada/thesis', value: { web: true } },
    { level: 'folder', folder: '/home/ada', value: { web: false } },
    { level: 'settings', value: { '*': false } },
  ])
  const mode = optionNamed('approval')
  expect(resolveOption(mode, { settings: 'none', project: 'reads', chat: 'full' })).toBe('full')
  expect(resolveOption(mode, { settings: 'none', project: 'reads', chat: undefined })).toBe('reads')
  expect([resolveOption(mode, { settings: 'none' }), resolveOption(mode, {})]).toEqual(['none', 'ask'])
})

test('a level that an option does not have says nothing', () => {
  expect(resolveOption(optionNamed('personality'), { settings: 'pirate', project: 'brief' })).toBe('')
})

const sampling = fc.record(
  { temperature: fc.double({ min: 0, max: 5 }), topK: fc.integer({ min: 1 }) },
  { requiredKeys: [] },
)

test('each field of sampling comes from the nearest level that sets it', () => {
  fc.assert(
    fc.property(fc.option(sampling), fc.option(sampling), (chat, project) => {
      const counts = resolveOption(optionNamed('sampling'), { chat, project })
      expect(counts).toEqual({ ...project, ...chat })
    }),
  )
})
