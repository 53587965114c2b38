import { expect, test } from 'vitest'
import { parseQuery, withLastAsPrefix } from './query.ts'

const asked = (query: string) => {
  const { wanted, everyday, must, unwanted } = parseQuery(query)
  return {
    wanted: wanted.map(each => each.match),
    ...(everyday.length > 0 && { everyday: everyday.map(each => each.match) }),
    ...(must !== undefined && { must }),
    ...(unwanted.length > 0 && { unwanted }),
  }
}

test.for([
  [
    'What did Anna say about the contracts?',
    { wanted: ['"Anna"', '"say"', '"contracts"'], everyday: ['"What"', '"did"', '"about"', '"the"'] },
  ],
  ['who is it', { wanted: [], everyday: ['"who"', '"is"', '"it"'] }],
  ["Anna's garden", { wanted: ['"Anna"', '"garden"'] }],
  ['camping camped', { wanted: ['"camped"'] }],
  ['', { wanted: [] }],
  ['?! 🚀 "', { wanted: [] }],
] as const)('%j is about %j', ([query, expected]) => {
  expect(asked(query)).toEqual(expected)
})

test.for([
  ['foo_bar', ['"foo bar"', '"foo"', '"bar"']],
  ['version 3.22.1?', ['"version"', '"3 22 1"']],
  ['me@here.org', ['"me here org"', '"org"']],
  ['src/main/host.ts', ['"src main host ts"', '"src"', '"main"', '"host"', '"ts"']],
  ['ERR-1042', ['"ERR 1042"', '"ERR"', '"1042"']],
  ['and/or', []],
] as const)('%j is one term, and its parts are terms of their own', ([query, expected]) => {
  expect(asked(query).wanted).toEqual(expected)
})

test.for([
  ['docker AND network', '("docker" AND "network")'],
  ['docker network OR podman', '(("docker" AND "network") OR "podman")'],
  ['(docker OR podman) AND network', '(("docker" OR "podman") AND "network")'],
  ['python AND NOT django', '("python" NOT "django")'],
  ['python NOT (django OR flask)', '("python" NOT ("django" OR "flask"))'],
  ['chat-send* AND friday', '("chat send"* AND "friday")'],
  ['deploy* AND friday', '("deploy"* AND "friday")'],
  ['what of "red tape" and glue', '"red tape"'],
  ['AND docker OR', '"docker"'],
  ['((docker OR', '"docker"'],
  ['docker OR )', '"docker"'],
  ['NOT docker', undefined],
  ['WHAT DID HE AND SHE SAY', undefined],
  ['docker and network', undefined],
  ['日本語 AND docker', undefined],
] as const)('%j must match %j', ([query, expected]) => {
  expect(parseQuery(query).must).toBe(expected)
})

test('excluded words are not searched for', () => {
  expect(asked('python NOT (django OR "red tape") AND web')).toEqual({
    wanted: ['"python"', '"web"'],
    must: '(("python" AND "web") NOT ("django" OR "red tape"))',
    unwanted: ['"django"', '"red tape"'],
  })
})

test('scripts without spaces are searched by pairs of letters, and words among them as words', () => {
  expect(asked('Rust言語とは').wanted).toEqual(['"Rust"', '"言語"', '"語と"', '"とは"'])
  expect(asked('猫').wanted).toEqual(['"猫"*'])
  expect(asked('데이터').wanted).toEqual(['"데이"', '"이터"'])
})

test('accents, case and Unicode form are ignored', () => {
  const [one, two] = ['CAFÉ', 'cafe\u0301'].map(query => parseQuery(query).wanted[0]?.stems)
  expect([one, two]).toEqual([['cafe'], ['cafe']])
})

test('a word being typed also matches as a prefix, unless it is finished or short', () => {
  const begun = (query: string) => withLastAsPrefix(parseQuery(query), query).wanted.map(each => each.match)
  expect(begun('red postgr')).toEqual(['"red"', '"postgr"', '"postgr"*'])
  expect(
    ['postgr ', 'po', 'there', '日本語'].map(query => begun(query).some(match => match.endsWith('*'))),
  ).toEqual(Array(4).fill(false))
})

test('a very long text is cut', () => {
  const { wanted } = parseQuery(Array.from({ length: 5_000 }, (_, n) => `w${n}`).join(' '))
  expect(wanted.length).toBeLessThan(50)
})

test.for([
  ['hello AND', '"hello"'],
  ['OR x', '"x"'],
] as const)('an operator without a word on each side is left out: %s', ([query, must]) => {
  expect(parseQuery(query).must).toBe(must)
})

test('stars without a word before them mean nothing', () => {
  expect(asked('***')).toEqual({ wanted: [] })
  expect(asked('*abc')).toEqual({ wanted: ['"abc"'] })
})

test('a quotation mark that is not closed begins a phrase, and a closed one stays a phrase', () => {
  expect(parseQuery('"red tape').must).toBe('"red tape"')
  expect(parseQuery('glue "red tape" and').must).toBe('"red tape"')
})

test('dashes between words make no phrase', () => {
  expect(asked('issue --- main')).toEqual({ wanted: ['"issue"', '"main"'] })
})

test('operators between words, and a plain word, stay as they are', () => {
  expect(parseQuery('issue AND main').must).toBe('("issue" AND "main")')
  expect(asked('issue')).toEqual({ wanted: ['"issue"'] })
})

test('a name with dots and hyphens is one phrase', () => {
  expect(asked('blue-app.config-test').wanted.filter(match => match.includes(' '))).toEqual([
    '"blue app config test"',
  ])
})
