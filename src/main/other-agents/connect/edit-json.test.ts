import { expect, test } from 'vitest'
import { parse } from 'jsonc-parser'
import { addToList, readFromJson, removeFromJson, removeFromList, setInJson } from './edit-json.ts'

// Settings of other programs, as users write them. Adding and removing something leaves the same bytes.

const FILES: Record<string, string> = {
  'two spaces': '{\n  "model": "x",\n  "theme": "dark"\n}\n',
  'tabs, no end of line': '{\n\t"model": "x"\n}',
  'comments and a comma at the end':
    '{\n  // mine\n  "model": "x", // tail\n  "allow": ["Bash(ls)"], /* b */\n}\n',
  'a comment behind the last value': '{\n  "model": "x" // tail\n}\n',
  'a comment below the last value': '{\n  "model": "x"\n  // "off": 1\n}\n',
  'carriage returns': '{\r\n  // mine\r\n  "model": "x"\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n    "model": "x"\n}\n',
  'one line': '{ "model": "x", "theme": "dark" }',
  'one line with blanks at the end': '{"model":"x"}\n\n',
  'a list over lines': '{\n  "plugin": [\n    "a",\n    "b"\n  ]\n}\n',
  'a list in a line': '{\n  "plugin": ["a"],\n  "model": "x"\n}\n',
  'an object that is there': '{\n  "mcp": {\n    "other": { "type": "local" }\n  },\n  "model": "x"\n}\n',
}

test.each(Object.entries(FILES))('a property goes in and out again without a trace: %s', (_name, text) => {
  for (const path of [['talaria'], ['mcp', 'talaria'], ['a', 'b', 'c']]) {
    const set = setInJson(text, path, { type: 'local', command: ['x', 'y'] })
    if (typeof set !== 'string') throw new Error(set.refused)
    expect(readFromJson(set, path)).toEqual({ type: 'local', command: ['x', 'y'] })
    expect(parse(set.replace('\uFEFF', ''))).toMatchObject(parse(text.replace('\uFEFF', '')) as object)
    for (const comment of text.match(/\/\/.*|\/\*.*\*\//g) ?? []) expect(set).toContain(comment)
    expect(removeFromJson(set, path)).toBe(text)
  }
})

test.each(Object.entries(FILES))(
  'an item of a list goes in and out again without a trace: %s',
  (_name, text) => {
    const added = addToList(text, ['plugin'], '/home/a/plugin')
    if (typeof added !== 'string') throw new Error(added.refused)
    expect((readFromJson(added, ['plugin']) as string[]).at(-1)).toBe('/home/a/plugin')
    expect(addToList(added, ['plugin'], '/home/a/plugin')).toBe(added)
    expect(removeFromList(added, ['plugin'], '/home/a/plugin')).toBe(text)
  },
)

test('what the user changed meanwhile stays, and only ours goes', () => {
  const set = setInJson(FILES['two spaces'], ['mcp', 'talaria'], { a: 1 }) as string
  const changed = set
    .replace('"dark",', '"light", // now')
    .replace('"talaria": {', '"mine": {},\n    "talaria": {')
  expect(removeFromJson(changed, ['mcp', 'talaria'])).toBe(
    '{\n  "model": "x",\n  "theme": "light", // now\n  "mcp": {\n    "mine": {}\n  }\n}\n',
  )
})

test('a value that is there is replaced in its place', () => {
  const text = '{\n  "mcp": {\n    "talaria": { "old": true }, // ours\n    "b": 1\n  }\n}\n'
  expect(setInJson(text, ['mcp', 'talaria'], 5)).toBe(text.replace('{ "old": true }', '5'))
})

test('an empty or missing file becomes an object, and an empty one empties again', () => {
  expect(setInJson(undefined, ['a'], 1)).toBe('{\n  "a": 1\n}\n')
  expect(setInJson('', ['a'], 1)).toBe('{\n  "a": 1\n}\n')
  expect(setInJson('{}\n', ['a'], 1)).toBe('{\n  "a": 1\n}\n')
  expect(removeFromJson('{\n  "a": 1\n}\n', ['a'])).toBe('{}\n')
  expect(setInJson('// only a comment\n', ['a'], 1)).toBe('// only a comment\n{\n  "a": 1\n}\n')
})

test('what is no JSON, or has something else there, is refused with a reason', () => {
  expect(setInJson('{\n  "a": oops\n}', ['b'], 1)).toEqual({
    refused: expect.stringMatching(/^it is not JSON: line 2, /),
  })
  expect(setInJson('[1]', ['b'], 1)).toEqual({ refused: 'it does not contain an object' })
  expect(setInJson('{"mcp": 5}', ['mcp', 'talaria'], 1)).toEqual({ refused: 'its “mcp” is not an object' })
  expect(addToList('{"plugin": {}}', ['plugin'], 'a')).toEqual({ refused: 'its “plugin” is not a list' })
  expect(readFromJson('{', ['a'])).toBeUndefined()
  expect(removeFromJson('{"a": 1}', ['b'])).toBe('{"a": 1}')
})
