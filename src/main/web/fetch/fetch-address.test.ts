import type { RequestListener } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { aCertificate } from '../../../../testing/net/a-certificate.ts'
import { startProxy } from '../../../../testing/net/a-proxy.ts'
import { aSite, aWayOut } from '../../../../testing/net/a-site.ts'

const { signal } = new AbortController()
const html = (text: string) =>
  ((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(text)
  }) satisfies RequestListener
const leadsTo = (to: string, status = 302) =>
  ((_request, response) => {
    response.writeHead(status, { location: to })
    response.end()
  }) satisfies RequestListener

describe('a page', () => {
  test('comes with its address, its type and its bytes, and the ledger has it', async () => {
    await using site = await aSite(html('<h1>Grüezi</h1>'))
    const { get, entries } = aWayOut()
    const got = await get(site.address('/a?b=c'), { signal, mayPrivate: [site.host] })
    expect(got).toMatchObject({
      ok: true,
      address: site.address('/a?b=c'),
      status: 200,
      contentType: 'text/html; charset=utf-8',
      cut: false,
    })
    expect('bytes' in got && Buffer.from(got.bytes).toString()).toBe('<h1>Grüezi</h1>')
    expect(site.asked).toHaveLength(1)
    expect(site.asked[0]?.headers).toMatchObject({
      'user-agent': 'Mozilla/5.0 (compatible; Talaria/1.2.3)',
      accept: expect.stringContaining('text/markdown'),
    })
    expect(site.asked[0]?.headers.cookie).toBeUndefined()
    expect(entries).toMatchObject([{ host: site.host, purpose: 'web', subject: 'a page', state: 'done' }])
  })

  test('may be asked for with a body and headers, and the ledger says what for', async () => {
    await using site = await aSite(html('found'))
    const { get, entries } = aWayOut()
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k1' }
    const options = { signal, mayPrivate: [site.host], headers, body: '{"q":1}', subject: 'Own source' }
    expect(await get(site.address('/'), options)).toMatchObject({ ok: true })
    expect(site.asked[0]).toMatchObject({ method: 'POST', body: '{"q":1}', headers })
    expect(entries).toMatchObject([{ subject: 'Own source', sentBytes: 7 }])
  })

  test.for([
    [401, /wants a login \(error 401\)/],
    [403, /does not let programs read this.*\(error 403\)/],
    [404, /has no page at this address \(error 404\)/],
    [429, /asked too often \(error 429\)\. Ask again in 60 seconds\./],
    [500, /is in trouble and gave no page \(error 500\)/],
    [503, /is in trouble .* Ask again in 60 seconds\./],
    [204, /answered with nothing \(status 204\)/],
    [304, /leads on without saying where \(status 304\)/],
    [999, /does not let programs read this \(error 999\)/],
  ] as const)('with status %i is a refusal that says so', async ([status, says]) => {
    await using site = await aSite((_request, response) => {
      response.writeHead(status, { 'retry-after': '60' })
      response.end()
    })
    const got = await aWayOut().get(site.address('/'), { signal, mayPrivate: [site.host] })
    expect(got).toEqual({ refused: expect.stringMatching(says), status })
  })

  test('of sound or film is not loaded', async () => {
    await using site = await aSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' })
      response.write('x')
    })
    const got = await aWayOut().get(site.address('/'), { signal, mayPrivate: [site.host] })
    expect(got).toMatchObject({ refused: expect.stringContaining('no page but sound, film or a font') })
  })
})

describe('private places', () => {
  test.for([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    'localhost',
    'dev.localhost',
    '127.0.0.1.nip.io',
  ])('%s is not asked without a card, and not for another port than the card says', async name => {
    await using site = await aSite(html('secret'))
    const { get, entries, lookedUp } = aWayOut()
    const address = `http://${name}:${site.port}/`
    const { host } = new URL(address)
    for (const mayPrivate of [[], [host.replace(/\d+$/, '1')], ['localhost', '127.0.0.1']])
      expect(await get(address, { signal, mayPrivate })).toEqual({
        refused: expect.stringMatching(/^Nothing was asked of .*Only the person can allow that\.$/),
        privateHost: host,
      })
    expect([site.asked, site.connections(), entries, lookedUp]).toEqual([[], 0, [], []])
  })

  test('a public name that leads to one is found out at the connection, and a card may allow it', async () => {
    await using site = await aSite(html('intern'))
    const { get, entries } = aWayOut({ names: { 'wiki.example': ['127.0.0.1'] } })
    const address = `http://wiki.example:${site.port}/`
    const host = `wiki.example:${site.port}`
    expect(await get(address, { signal })).toMatchObject({ privateHost: host })
    expect(site.connections()).toBe(0)
    expect(await get(address, { signal, mayPrivate: [host] })).toMatchObject({ ok: true })
    // The connection that was allowed before is not reused either.
    expect(await get(address, { signal })).toMatchObject({ privateHost: host })
    expect([site.asked.length, site.connections()]).toEqual([1, 1])
    expect(entries.map(({ state }) => state)).toEqual(['failed', 'done', 'failed'])
  })

  test('one private address among public ones is enough', async () => {
    await using site = await aSite(html('secret'))
    const { get } = aWayOut({ names: { 'mixed.example': ['2d00::1', '127.0.0.1'] } })
    expect(await get(`http://mixed.example:${site.port}/`, { signal })).toMatchObject({
      privateHost: `mixed.example:${site.port}`,
    })
    expect(site.connections()).toBe(0)
  })

  test('a name that leads first to a public address and then to this computer never gets there', async () => {
    await using site = await aSite(html('secret'))
    // The first address belongs to no machine, so nothing answers.
    const answers = [['2d00::1'], ['127.0.0.1'], ['2d00::1', '127.0.0.1']]
    const { get, lookedUp } = aWayOut({ answer: () => answers.shift() ?? [], limits: { firstByteMs: 300 } })
    const address = `http://rebind.example:${site.port}/`
    for (let time = 0; time < 3; time++) expect(await get(address, { signal })).toHaveProperty('refused')
    expect([site.asked, site.connections(), answers]).toEqual([[], 0, []])
    // Each connection goes to the address that was judged for it. No name is resolved twice.
    expect(lookedUp).toHaveLength(3)
  })

  test.for([
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://keys.example/',
  ])('where keys are given out is never asked, whatever a card says: %s', async address => {
    const { get } = aWayOut({ names: { 'keys.example': ['169.254.169.254'] } })
    const got = await get(address, { signal, mayPrivate: [new URL(address).host] })
    expect(got).toEqual({ refused: expect.stringMatching(/never is: it is where clouds give out the keys/) })
  })

  test('a port of another kind of server is not asked, whatever a card says', async () => {
    const { get, entries } = aWayOut()
    const got = await get('http://127.0.0.1:6379/', { signal, mayPrivate: ['127.0.0.1:6379'] })
    expect(got).toEqual({ refused: 'This address cannot be asked: port 6379 is not one of the web.' })
    expect(entries).toEqual([])
  })

  test('an address with a password or without the web is not asked', async () => {
    const { get, entries } = aWayOut()
    for (const address of [
      'https://a:b@example.com/',
      'file:///etc/passwd',
      'example.com',
      'http://example.com:25/',
    ])
      expect(await get(address, { signal })).toEqual({
        refused: expect.stringMatching(/never is|cannot be asked/),
      })
    expect(entries).toEqual([])
  })

  test('invented addresses of a VPN are named, and believed only where the person set that', async () => {
    const names = { 'site.example': ['198.18.0.7'], 'both.example': ['198.18.0.7', '10.0.0.1'] }
    const limits = { firstByteMs: 50 }
    const no = aWayOut({ names, limits })
    const refused = await no.get('http://site.example/', { signal })
    expect(refused).toEqual({ refused: expect.stringMatching(/VPN .*network\.allow_fake_dns/) })
    const yes = aWayOut({ names, limits, allowFakeDns: true })
    // The address is tried, but nothing answers there.
    expect(await yes.get('http://site.example/', { signal })).not.toEqual(refused)
    expect(await yes.get('http://both.example/', { signal })).toMatchObject({ privateHost: 'both.example' })
    expect(await yes.get('http://198.18.0.7/', { signal })).toMatchObject({ privateHost: '198.18.0.7' })
  })
})

describe('a page that leads on', () => {
  test('is followed to itself, and each step is a line of the ledger', async () => {
    await using site = await aSite((request, response) =>
      request.url === '/ü'.replace('ü', '%C3%BC')
        ? html('there')(request, response)
        : leadsTo(Buffer.from('/ü').toString('latin1'))(request, response),
    )
    const { get, entries } = aWayOut()
    expect(await get(site.address('/'), { signal, mayPrivate: [site.host] })).toMatchObject({
      ok: true,
      address: site.address('/%C3%BC'),
    })
    expect(entries).toHaveLength(2)
  })

  test('is not followed to any other private place, not even an allowed one', async () => {
    await using secret = await aSite(html('secret'))
    for (const name of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', 'inner.example']) {
      const to = `http://${name}:${secret.port}/`
      await using site = await aSite(leadsTo(to))
      const { get } = aWayOut({ names: { 'inner.example': ['127.0.0.1'] } })
      const mayPrivate = [site.host, new URL(to).host]
      expect(await get(site.address('/'), { signal, mayPrivate })).toEqual({
        refused: expect.stringMatching(/^The page leads on to .*No page may lead there\.$/),
      })
    }
    expect(secret.connections()).toBe(0)
  })

  test('is not followed back home from elsewhere', async () => {
    let home = ''
    await using away = await aSite((request, response) => leadsTo(home)(request, response))
    await using site = await aSite(leadsTo(away.address('/')))
    home = site.address('/secret')
    const got = await aWayOut().get(site.address('/'), { signal, mayPrivate: [site.host, away.host] })
    expect(got).toHaveProperty('refused')
    expect(site.asked.map(({ url }) => url)).toEqual(['/'])
  })

  test.for([
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'http://a:b@example.com/',
    'http://example.com:22/',
    'ftp://example.com/',
  ])('is not followed to %s', async to => {
    await using site = await aSite(leadsTo(to))
    const { get, entries } = aWayOut()
    expect(await get(site.address('/'), { signal, mayPrivate: [site.host] })).toHaveProperty('refused')
    expect(entries).toHaveLength(1)
  })

  test('is followed five times', async () => {
    await using site = await aSite((request, response) =>
      leadsTo(`/${Number((request.url ?? '/').slice(1)) + 1}`)(request, response),
    )
    const got = await aWayOut().get(site.address('/0'), { signal, mayPrivate: [site.host] })
    expect(got).toEqual({ refused: expect.stringContaining('without end') })
    expect(site.asked).toHaveLength(6)
  })
})

describe('limits', () => {
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const packed = { gzip: gzipSync, br: (data: Buffer) => brotliCompressSync(data, fast) }
  test.for(['gzip', 'br'] as const)('a bomb of %s is cut', async encoding => {
    const bomb = packed[encoding](Buffer.alloc(20_000_000))
    await using site = await aSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding })
      response.end(bomb)
    })
    const { get, entries } = aWayOut()
    const got = await get(site.address('/'), { signal, mayPrivate: [site.host] })
    expect('bytes' in got && [got.bytes.byteLength, got.cut]).toEqual([5_000_000, true])
    expect(entries[0]?.receivedBytes).toBeLessThan(6_000_000)
  })

  test('what cannot be unpacked, or is packed many times, is named', async () => {
    for (const [encoding, body] of [
      ['gzip', Buffer.from('no gzip at all')],
      [Array<string>(20).fill('gzip').join(', '), gzipSync('x')],
    ] as const) {
      await using site = await aSite((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        response.end(body)
      })
      const got = await aWayOut().get(site.address('/'), { signal, mayPrivate: [site.host] })
      expect(got).toEqual({ refused: expect.stringMatching(/packed/) })
    }
  })

  test('a page without an end is cut, and one that does not come on is given up', async () => {
    await using endless = await aSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const more = () => void (response.destroyed || response.write(Buffer.alloc(100_000), more))
      more()
    })
    const { get } = aWayOut({ limits: { bytes: 1_000_000 } })
    expect(await get(endless.address('/'), { signal, mayPrivate: [endless.host] })).toMatchObject({
      cut: true,
    })
    await using slow = await aSite((request, response) => {
      if (request.url === '/begun') response.write('x')
    })
    const late = aWayOut({ limits: { firstByteMs: 40, wholeMs: 80 } }).get
    expect(await late(slow.address('/'), { signal, mayPrivate: [slow.host] })).toEqual({
      refused: expect.stringContaining('did not begin to answer'),
    })
    const unhurried = aWayOut({ limits: { wholeMs: 500 } }).get
    expect(await unhurried(slow.address('/begun'), { signal, mayPrivate: [slow.host] })).toEqual({
      refused: expect.stringContaining('took longer'),
    })
  })

  test.for(['/', '/begun'])('stopping ends a request at once: %s', async path => {
    const stop = new AbortController()
    await using site = await aSite((request, response) => {
      if (request.url === '/begun') response.write('x')
      setTimeout(() => stop.abort(), 20)
    })
    const got = await aWayOut().get(site.address(path), { signal: stop.signal, mayPrivate: [site.host] })
    expect(got).toEqual({ refused: 'The request was stopped.' })
    await expect.poll(() => site.open()).toBe(0)
  })

  test('stopping while a name is looked up connects nothing afterwards', async () => {
    const stop = new AbortController()
    await using site = await aSite(html('late'))
    let goOn = () => {}
    const { get } = aWayOut({
      lookUp: (_name, done) => {
        goOn = () => done(null, [{ address: '127.0.0.1', family: 4 }])
        setImmediate(() => stop.abort())
      },
    })
    const host = `slow.example:${site.port}`
    const got = await get(`http://${host}/`, { signal: stop.signal, mayPrivate: [host] })
    expect(got).toEqual({ refused: 'The request was stopped.' })
    goOn()
    await new Promise(done => setTimeout(done, 50))
    expect(site.connections()).toBe(0)
  })
})

describe('trouble', () => {
  test('is told in plain words', async () => {
    const { get } = aWayOut({ names: { 'closed.example': ['127.0.0.1'] } })
    expect(await get('http://nobody.example/', { signal })).toEqual({
      refused: 'There is no site named nobody.example, or this computer has no network.',
    })
    expect(await get('http://closed.example:9000/', { signal, mayPrivate: ['closed.example:9000'] })).toEqual(
      {
        refused: 'Nothing answers at closed.example:9000.',
      },
    )
  })

  test('with certificates, too', async () => {
    await using site = await aSite(html('x'), aCertificate('other.example'))
    const host = `secure.example:${site.port}`
    const { get } = aWayOut({ names: { 'secure.example': ['127.0.0.1'] } })
    expect(await get(`https://${host}/`, { signal, mayPrivate: [host] })).toEqual({
      refused: `The certificate of ${host} is not one that this computer trusts.`,
    })
    await using plain = await aSite(html('x'))
    const other = `secure.example:${plain.port}`
    expect(await get(`https://${other}/`, { signal, mayPrivate: [other] })).toEqual({
      refused: expect.stringContaining('does not speak https'),
    })
  })

  test('what sends no web, or breaks off, is named', async () => {
    await using site = await aSite((_request, response) => void response.socket?.destroy())
    const got = await aWayOut().get(site.address('/'), { signal, mayPrivate: [site.host] })
    expect(got).toEqual({ refused: `The connection to ${site.host} broke off.` })
  })

  test('under the offline lock nothing is looked up, and only this computer answers', async () => {
    await using site = await aSite(html('own'))
    const { get, entries, lookedUp } = aWayOut({ locked: true })
    expect(await get('https://example.com/', { signal })).toEqual({
      refused: expect.stringMatching(/offline lock is on.*Switch the offline lock off/),
    })
    expect(lookedUp).toEqual([])
    expect(await get(site.address('/'), { signal, mayPrivate: [site.host] })).toMatchObject({ ok: true })
    expect(entries.map(({ state }) => state)).toEqual(['blocked', 'done'])
  })
})

describe('through a proxy', () => {
  test('the proxy looks the name up, and what the address itself says still counts', async () => {
    await using site = await aSite(html('far'))
    await using proxy = await startProxy({ hosts: { 'far.example': site.port } })
    const { get, lookedUp, entries } = aWayOut({ proxy: proxy.address })
    expect(await get('http://far.example/a', { signal })).toMatchObject({ ok: true })
    expect([lookedUp, proxy.asked]).toEqual([[], ['GET http://far.example/a']])
    expect(entries[0]?.subject).toContain('through the proxy')
    for (const address of [
      'http://10.0.0.1/',
      'http://wiki.intranet/',
      'http://shop.test/',
      'http://169.254.169.254/',
    ])
      expect(await get(address, { signal })).toHaveProperty('refused')
    expect(proxy.asked).toHaveLength(1)
  })
})
