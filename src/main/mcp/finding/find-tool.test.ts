import { describe, expect, test } from 'vitest'
import { findToolsByMeaning, type Encode, type FindableTool } from './find-tool.ts'

const tool = (server: string, name: string, description: string) => ({ server, name, description })
const TOOLS = [
  tool('files', 'create_directory', 'Create a new directory'),
  tool('files', 'delete_file', 'Delete a file'),
  tool('files', 'listFiles', 'List the files of a directory'),
  tool('mail', 'send_email', 'Sends a new email to one or more recipients'),
  tool('mail', 'search_emails', 'Searches for emails'),
  tool('tracker', 'create_issue', 'Create a new issue'),
  tool('tracker', 'list_issues', 'List issues with filters'),
  tool('sky', 'get_forecast', 'Get the weather forecast for a place'),
]

/** Search without an encoder, as if it failed or took too long. */
const findTools = (tools: readonly FindableTool[], request: string, most = 3) =>
  findToolsByMeaning(tools, request, {
    encode: async () => undefined,
    signal: new AbortController().signal,
    most,
  })
const first = async (request: string) => (await findTools(TOOLS, request, 1))[0]?.name

describe('the search for tools', () => {
  test.each([
    ['make a folder called invoices', 'create_directory'],
    ['throw away notes.txt', 'delete_file'],
    ['which documents are in that folder?', 'listFiles'],
    ['write to bob@example.com that I will be late', 'send_email'],
    ['report a bug in the tracker', 'create_issue'],
    ['which tickets are open?', 'list_issues'],
    ['will it rain on Sunday?', 'get_forecast'],
  ])('finds for “%s” the tool %s', async (request, name) => expect(await first(request)).toBe(name))

  test('puts the tools of a server that is named above the same tools of others', async () => {
    const boards = ['alphaboard', 'betaboard', 'gammaboard'].flatMap(server => [
      tool(server, 'get_cards', 'Get the cards of a list'),
      tool(server, 'add_card', 'Add a card to a list'),
    ])
    for (const server of ['alphaboard', 'betaboard', 'gammaboard'])
      for (const request of [
        `add a card in ${server}`,
        `put a new card into ${server.replace('board', ' board')}`,
      ])
        expect(await findTools(boards, request, 1)).toMatchObject([{ server, name: 'add_card' }])
  })

  test('never lets words that fill sentences win against one that says something', async () => {
    const tools = [
      tool('people', 'list_members', 'List the members and users of a group'),
      tool('kitchen', 'find_substitutes', 'Find substitutes for an ingredient'),
    ]
    expect(
      await findTools(tools, 'who or what is there that I can have instead of an ingredient', 1),
    ).toMatchObject([{ server: 'kitchen' }])
  })

  test('gives three tools of the server whose subject fits when none fits exactly', async () => {
    const scholar = ['one', 'two', 'three'].map(name => tool('scholar', name, 'Works with research papers'))
    const found = await findTools([...TOOLS, ...scholar], 'preprints about the tides')
    expect(found.map(({ server }) => server)).toEqual(['scholar', 'scholar', 'scholar'])
  })

  test('finds a tool of whatever place in the list', async () => {
    for (const [request, name] of [
      ['make a folder called invoices', 'create_directory'],
      ['which tickets are open?', 'list_issues'],
    ])
      expect((await findTools(TOOLS.toReversed(), request!, 1))[0]?.name).toBe(name)
  })

  test('finds nothing where no word leads to a tool', async () => {
    expect(await findTools(TOOLS, 'xyzzy')).toEqual([])
    expect(await findTools(TOOLS, '')).toEqual([])
    expect(await findTools([], 'anything')).toEqual([])
  })

  test('takes words that objects have by nature as words', async () => {
    expect(await findTools(TOOLS, 'constructor __proto__')).toEqual([])
  })
})

describe('with an encoder', () => {
  const { signal } = new AbortController()
  /** An encoder for which a request is close to this tool, and to no other. */
  const likes = (name: string) => {
    const asked: string[][] = []
    const encode = (texts: readonly string[]) => {
      asked.push([...texts])
      const near = Float32Array.of(1, 0)
      const at = TOOLS.findIndex(each => each.name === name) + 1
      return Promise.resolve(
        texts.map((_text, index) => (index === 0 || index === at ? near : Float32Array.of(0, 1))),
      )
    }
    return { asked, encode }
  }
  const names = async (request: string, encode: Encode) =>
    (await findToolsByMeaning(TOOLS, request, { encode, signal })).map(({ name }) => name)

  test('a tool is found that shares no word with the request', async () => {
    const { asked, encode } = likes('get_forecast')
    expect(await names('xyzzy', encode)).toEqual(['get_forecast'])
    expect(asked[0]?.[0]).toBe('xyzzy')
    expect(asked[0]?.[3]).toBe('files: list files. List the files of a directory')
  })

  test('what words say still counts', async () => {
    const { encode } = likes('get_forecast')
    expect(await names('delete the file', encode)).toContain('delete_file')
  })

  test('where it does not run, words alone decide', async () => {
    const none: Encode = () => Promise.resolve(undefined)
    expect(await names('delete the file', none)).toEqual(['delete_file', 'listFiles', 'create_directory'])
    expect(await names('xyzzy', none)).toEqual([])
  })

  test('where its weights are damaged and give no numbers, words alone decide', async () => {
    const damaged: Encode = async texts =>
      texts.map((_, at) => (at === 2 ? Float32Array.of(Number.NaN, 0) : Float32Array.of(1, 0)))
    expect(await names('delete the file', damaged)).toEqual(['delete_file', 'listFiles', 'create_directory'])
  })

  test('nothing is asked of it where there is nothing to choose', async () => {
    const { asked, encode } = likes('create_directory')
    await findToolsByMeaning(TOOLS.slice(0, 3), 'a new folder', { encode, signal })
    await names('  ', encode)
    expect(asked).toEqual([])
  })
})
