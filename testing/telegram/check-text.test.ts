import type { MessageEntity } from '@grammyjs/types'
import { describe, expect, test } from 'vitest'
import { checkText, foundEntities } from './check-text.ts'

type Kind = MessageEntity.CommonMessageEntity['type']
const part = (type: Kind, offset: number, length: number): MessageEntity => ({ type, offset, length })
const judge = (text: string, ...entities: MessageEntity[]) => {
  const checked = checkText(text, entities, 4_096)
  return 'refused' in checked ? checked.refused : 'taken'
}

describe('entities', () => {
  test.each([
    ['a bold part', [part('bold', 0, 3)]],
    [
      'bold within a link',
      [{ type: 'text_link', offset: 0, length: 5, url: 'https://example.org/' }, part('bold', 1, 2)],
    ],
    ['code within a quote', [part('blockquote', 0, 8), part('code', 2, 3)]],
    ['styles within each other', [part('bold', 0, 8), part('italic', 2, 3), part('underline', 2, 3)]],
    ['neighbours', [part('code', 0, 2), part('code', 2, 2)]],
  ] satisfies [string, MessageEntity[]][])('%s is taken', (_what, entities) => {
    expect(judge('some text here', ...entities)).toBe('taken')
  })

  test.each([
    ['incorrect offset', [part('bold', -1, 2)]],
    ['incorrect length', [part('bold', 0, 0)]],
    ['begins after the end', [part('bold', 14, 1)]],
    ['ends after the end', [part('bold', 10, 5)]],
    ['overlap', [part('bold', 0, 5), part('italic', 3, 5)]],
    ['contain each other', [part('code', 0, 5), part('bold', 1, 2)]],
    ['contain each other', [part('bold', 0, 5), part('code', 1, 2)]],
    [
      'contain each other',
      [part('blockquote', 0, 9), part('expandable_blockquote', 1, 2), part('blockquote', 1, 2)],
    ],
    ['contain each other', [part('bold', 0, 5), part('bold', 0, 5)]],
    ['wrong URL', [{ type: 'text_link', offset: 0, length: 2, url: 'file:///etc/hosts' }]],
    ['wrong URL', [{ type: 'text_link', offset: 0, length: 2, url: 'http://localhost/' }]],
    ['unsupported type', [{ type: 'custom_emoji', offset: 0, length: 2, custom_emoji_id: '1' }]],
    ['more than 100', Array.from({ length: 101 }, () => part('bold', 0, 1))],
  ] satisfies [string, MessageEntity[]][])('refused: %s', (why, entities) => {
    expect(judge('some text here', ...entities)).toContain(why)
  })

  test('count UTF-16 units and do not split a character', () => {
    expect(judge('a😀b', part('bold', 1, 2))).toBe('taken')
    expect(judge('a😀b', part('bold', 1, 1))).toContain('ends in a middle')
    expect(judge('a😀b', part('bold', 2, 1))).toContain('begins in a middle')
    expect(judge('a\ud83d')).toContain('UTF-8')
  })
})

test('a text is stored trimmed, without what turns its direction, and its entities move along', () => {
  expect(checkText('\n \ta\r\n\u202eb  ', [part('bold', 5, 3)], 4_096)).toEqual({
    text: 'a\nb',
    entities: [part('bold', 1, 2)],
  })
  expect(checkText('  x  ', [part('code', 1, 3)], 4_096)).toEqual({
    text: ' x',
    entities: [part('code', 0, 2)],
  })
})

test('commands, mentions and addresses are found in what people write', () => {
  expect(foundEntities('/start now @somebody see https://example.org/x').map(({ type }) => type)).toEqual([
    'bot_command',
    'mention',
    'url',
  ])
})
