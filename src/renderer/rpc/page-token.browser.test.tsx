import { expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { createPageToken } from './page-token.ts'

type Page = Parameters<typeof createPageToken>[0]

/** A page at an address with this fragment; the host answers the exchange of a code with `answers`, one after the other. */
function aPage(hash: string, ...answers: (string | 403 | Error)[]) {
  const location = { hash, origin: 'http://127.0.0.1:4000', pathname: '/', search: '' }
  let moved = () => {}
  const shown: string[] = []
  const sent: [url: string, body: unknown][] = []
  const kept = new Map<string, string>()
  const page: Page = {
    location,
    history: { state: { scroll: 3 }, replaceState: (_state, _title, url) => void shown.push(String(url)) },
    storage: () => ({
      getItem: key => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
    }),
    fetch: async (url, init) => {
      sent.push([url, init.body])
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return new Response(answer === 403 ? '' : answer, { status: answer === 403 ? 403 : 200 })
    },
    madeCode: async () => true,
    onNewFragment: listener => (moved = listener),
  }
  /** The user opens an address in the tab of the page. */
  const open = (hash: string) => {
    location.hash = hash
    moved()
  }
  return { page, shown, sent, kept, open }
}

test('the code leaves the address at once and is exchanged for the token, which is kept', async () => {
  const { page, shown, sent, kept } = aPage('#code=one&chat=c1', 'secret')
  const token = createPageToken(page)
  expect(shown).toEqual(['/#chat=c1'])
  expect(await Promise.all([token(), token()])).toEqual(['secret', 'secret'])
  expect(sent).toEqual([['http://127.0.0.1:4000/enter', 'one']])
  expect([...kept.values()]).toEqual(['secret'])
})

test('a page without a code uses the stored token, even one that another tab stored later', async () => {
  const { page, shown, kept } = aPage('#chat=c1')
  const token = createPageToken(page)
  expect(await token()).toBe('')
  kept.set('talaria.token', 'new')
  expect([await token(), shown]).toEqual(['new', []])
})

test('a refused code is not sent again, and the stored token still works', async () => {
  const { page, sent, kept } = aPage('#code=used', 403)
  kept.set('talaria.token', 'old')
  const token = createPageToken(page)
  expect([await token(), await token(), sent.length]).toEqual(['old', 'old', 1])
})

test('after a failed request the next attempt sends the code again', async () => {
  const { page } = aPage('#code=one', new TypeError('network'), 'secret')
  const token = createPageToken(page)
  expect([await token(), await token()]).toEqual(['', 'secret'])
})

test('without storage the token works until the page reloads', async () => {
  const { page } = aPage('#code=one', 'secret')
  const forbidden = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  expect(await createPageToken({ ...page, storage: forbidden })()).toBe('secret')
})

test('the code of an address that is opened in the same tab is taken, too', async () => {
  const { page, shown, sent, kept, open } = aPage('#chat=c1', 'new')
  kept.set('talaria.token', 'old')
  const token = createPageToken(page)
  expect(await token()).toBe('old')
  open('#page=memory')
  open('#code=two&chat=c1')
  expect([await token(), await token()]).toEqual(['new', 'new'])
  expect([shown, sent.length]).toEqual([['/#chat=c1'], 1])
})

test('a code is not shown to a program that cannot prove that it made it', async () => {
  const { page, sent, kept } = aPage('#code=one', 'a token of a stranger')
  kept.set('talaria.token', 'old')
  const token = createPageToken({ ...page, madeCode: async () => false })
  expect([await token(), sent]).toEqual(['old', []])
})

test('while nothing answers the code is kept', async () => {
  const { page, sent } = aPage('#code=one', 'secret')
  const answers = [new Fault('disconnected', 'Talaria is not responding.'), true]
  const token = createPageToken({
    ...page,
    async madeCode() {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer === true
    },
  })
  expect([await token(), sent.length, await token()]).toEqual(['', 0, 'secret'])
})
