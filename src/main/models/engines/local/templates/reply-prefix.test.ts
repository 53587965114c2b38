import { expect, test } from 'vitest'
import { compareReplyPrefixes, splitOpener } from './fill-chat-template.ts'

test.for([
  ['are the same', '<assistant>\n', '<assistant>\n', '', ''],
  ['differ by a thought that is opened now', '<assistant><think>\n', '<assistant>', '<think>\n', ''],
  [
    'both begin with a thought',
    '<assistant><think>',
    '<assistant><think></think>',
    '<think>',
    '<think></think>',
  ],
  ['differ within the first tag', '<assistant><think>', '<assistant></think>', '<think>', '</think>'],
  ['differ by a channel for answers', '<|start|>assistant', '<|start|>assistant<|final|>', '', '<|final|>'],
  ['are in capitals and brackets', '[/INST][THINK]', '[/INST]', '[THINK]', ''],
  ['differ by something else', '<assistant 3>', '<assistant 5>', '', ''],
] as const)('prefixes that %s are recognised', ([, now, past, opener, surplus]) => {
  expect(compareReplyPrefixes(now, past)).toEqual({ opener, surplus })
})

test('a prompt that ends with the reply’s beginning is cut before it', () => {
  const parts = [{ message: 0 }, { frame: '</user><think>' }]
  expect(splitOpener(parts, '<think>')).toEqual({
    parts: [{ message: 0 }, { frame: '</user>' }],
    opener: '<think>',
  })
  expect(splitOpener(parts, '[THINK]')).toEqual({ parts, opener: '' })
  expect(splitOpener([{ message: 0 }, { frame: '<think>' }], '<think>').parts).toEqual([{ message: 0 }])
})
