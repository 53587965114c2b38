import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlain, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { expect, test } from 'vitest'
import { aCertificate } from '../../../testing/net/a-certificate.ts'
import { startProxy } from '../../../testing/net/a-proxy.ts'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import { ProxyError } from '../lib/network/proxy-address.ts'
import { createProxiedFetch } from './proxied-fetch.ts'

const none = { proxy: '', no_proxy: '' }

async function aServer(listener: RequestListener, secure?: ReturnType<typeof aCertificate>) {
  const server = secure
    ? createSecure({ key: secure.key, cert: secure.certificate }, listener)
    : createPlain(listener)
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const echo: RequestListener = (message, response) => {
  void text(message).then(body => {
    response.setHeader('content-type', 'text/plain')
    response.end(`${message.method} ${message.url} ${message.headers.host} ${body}`)
  })
}

test.for(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])(
  'a plain request takes the proxy of %s, with its address, its body and its answer whole',
  async name => {
    await using server = await aServer(echo)
    await using proxy = await startProxy({ hosts: { 'models.example.test': server.port } })
    const { fetch, via } = createProxiedFetch(() => none, { [name]: proxy.address })
    const url = 'http://models.example.test/v1/chat?x=1'
    const response = await fetch(url, { method: 'POST', body: 'Grüezi', redirect: 'manual' })
    expect(await response.text()).toBe('POST /v1/chat?x=1 models.example.test Grüezi')
    expect(proxy.asked).toEqual([`POST ${url}`])
    expect(via(new URL(url))).toBe(`127.0.0.1:${proxy.port}`)
  },
)

test('the setting goes before the variables, and “off” before both', async () => {
  await using server = await aServer(echo)
  await using proxy = await startProxy({ hosts: { 'models.example.test': server.port } })
  const environment = { HTTP_PROXY: 'http://127.0.0.1:1' }
  const by = (setting: string) => createProxiedFetch(() => ({ proxy: setting, no_proxy: '' }), environment)
  expect((await by(proxy.address).fetch('http://models.example.test/')).status).toBe(200)
  expect(by('off').via(new URL('http://models.example.test/'))).toBeUndefined()
})

test('this computer is never asked through a proxy, not even where Node would do it by itself', async () => {
  await using server = await aServer(echo)
  await using proxy = await startProxy()
  const variables = { HTTP_PROXY: proxy.address, ALL_PROXY: proxy.address }
  for (const more of [{}, { NODE_USE_ENV_PROXY: '1' }, { NODE_OPTIONS: '--use-env-proxy' }]) {
    const { fetch } = createProxiedFetch(() => none, { ...variables, ...more })
    for (const host of ['127.0.0.1', 'localhost', '127.9.8.7', '[::ffff:127.0.0.1]'])
      expect((await fetch(`http://${host}:${server.port}/`)).status).toBe(200)
  }
  expect(proxy.asked).toEqual([])
})

test('the name and the password in an address are sent to the proxy only', async () => {
  let seen: string | undefined
  await using server = await aServer((message, response) => {
    seen = JSON.stringify(message.headers)
    response.end('fine')
  })
  const wants = `Basic ${Buffer.from('anna:p@ss:w/rd').toString('base64')}`
  await using proxy = await startProxy({ hosts: { 'models.example.test': server.port }, wants })
  const address = `http://anna:p%40ss%3Aw%2Frd@127.0.0.1:${proxy.port}`
  const { fetch, via } = createProxiedFetch(() => none, { http_proxy: address })
  expect(await (await fetch('http://models.example.test/')).text()).toBe('fine')
  expect(seen).not.toMatch(/proxy-auth/i)
  expect(via(new URL('http://models.example.test/'))).not.toMatch(/anna|p@ss/)
})

/** The whole text of an error with its causes, as a log would show it. */
const told = async (request: Promise<unknown>) => {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ProxyError)) throw new Error('It is no ProxyError', { cause: error })
  let causes = ''
  for (let each: unknown = error; each instanceof Error; each = each.cause) causes += `${each.stack}\n`
  return { text: `${error.message} ${error.fix}`, causes }
}

test.for([
  [
    407,
    'http:',
    /^The proxy 127\.0\.0\.1:\d+ \(HTTP_PROXY\) does not accept the name and the password .*407/,
  ],
  [
    407,
    'https:',
    /^The proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) does not accept the name and the password .*407/,
  ],
  [
    502,
    'http:',
    /^The proxy 127\.0\.0\.1:\d+ \(HTTP_PROXY\) did not connect to models\.example\.test \(error 502\)/,
  ],
  [502, 'https:', /^The proxy .* \(HTTPS_PROXY\) did not connect to models\.example\.test \(error 502\)/],
  [403, 'https:', /^The proxy .* \(HTTPS_PROXY\) did not connect to models\.example\.test \(error 403\)/],
] as const)(
  'a proxy that refuses with %s for %s is named, without the password',
  async ([status, protocol, words]) => {
    await using proxy = await startProxy({ refuses: status })
    const address = `http://anna:secret-word@127.0.0.1:${proxy.port}`
    const { fetch } = createProxiedFetch(() => none, { HTTP_PROXY: address, HTTPS_PROXY: address })
    const { text, causes } = await told(fetch(`${protocol}//models.example.test/`))
    expect(text).toMatch(words)
    expect(causes).not.toContain('secret-word')
  },
)

test('a proxy that wants a name is told from one that does not accept it', async () => {
  await using proxy = await startProxy({ wants: 'Basic x' })
  const { fetch } = createProxiedFetch(() => none, { HTTP_PROXY: proxy.address })
  const { text } = await told(fetch('http://models.example.test/'))
  expect(text).toMatch(/asks for a name and a password \(error 407\)\. Write them into its address/)
})

test('what a server answers with 502 in JSON is its own answer', async () => {
  await using server = await aServer((_message, response) => {
    response.writeHead(502, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"overloaded"}}')
  })
  await using proxy = await startProxy({ hosts: { 'models.example.test': server.port } })
  const { fetch } = createProxiedFetch(() => none, { HTTP_PROXY: proxy.address })
  expect((await fetch('http://models.example.test/')).status).toBe(502)
})

test.for([
  ['http://127.0.0.1:1', /The proxy 127\.0\.0\.1:1 \(HTTP_PROXY\) cannot be reached: nothing answers there/],
  [
    'http://nowhere.invalid:3128',
    /The proxy nowhere\.invalid:3128 .* cannot be reached: there is no computer/,
  ],
  [
    'socks5h://127.0.0.1:1080',
    /The proxy in HTTP_PROXY cannot be used: SOCKS proxies \(socks5h:\/\/\) are not supported/,
  ],
  ['ftp://proxy:21', /begins with ftp:\/\//],
  ['http://anna:pa#ss@proxy:3128', /it is no address such as .*%23/],
  ['proxy example', /it is no address such as/],
] as const)('%s as a proxy is refused in words', async ([address, words]) => {
  const { fetch } = createProxiedFetch(() => none, { HTTP_PROXY: address })
  const { text } = await told(fetch('http://models.example.test/'))
  expect(text).toMatch(words)
  expect(text).not.toContain('pa#ss')
})

test('a stopped request ends as stopped, and not as a fault of the proxy', async () => {
  await using server = await aServer(() => {})
  await using proxy = await startProxy({ hosts: { 'models.example.test': server.port } })
  const { fetch } = createProxiedFetch(() => none, { HTTP_PROXY: proxy.address })
  const stop = new AbortController()
  const request = fetch('http://models.example.test/', { signal: stop.signal })
  await expect.poll(() => proxy.asked.length).toBe(1)
  stop.abort()
  await expect(request).rejects.toMatchObject({ name: 'AbortError' })
})

/** Run a request in a process of its own, because what a process trusts is set once. */
async function inProcess(url: string, env: NodeJS.ProcessEnv): Promise<string> {
  const module = pathToFileURL(join(rootFolder(), 'src/main/net/proxied-fetch.ts')).href
  const script = `
    import { createProxiedFetch } from ${JSON.stringify(module)}
    const { fetch } = createProxiedFetch(() => (${JSON.stringify(none)}))
    try { console.log(await (await fetch(${JSON.stringify(url)})).text()) }
    catch (error) { console.log(error.cause?.code ?? error.message) }
    process.exit()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '-e', script],
    {
      env: { ...process.env, ...env },
    },
  )
  return stdout.trim()
}

test('an https server is asked through a tunnel, and what the system trusts is trusted', async () => {
  const secure = aCertificate('models.example.test')
  const folder = mkdtempSync(join(tmpdir(), 'talaria-ca-'))
  try {
    const file = join(folder, 'company.pem')
    writeFileSync(file, secure.authority)
    await using server = await aServer(echo, secure)
    await using proxy = await startProxy({ hosts: { 'models.example.test': server.port } })
    const url = 'https://models.example.test/v1/models'
    const env = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: '', SSL_CERT_DIR: join(folder, 'none') }
    expect(await inProcess(url, { ...env, SSL_CERT_FILE: join(folder, 'none.pem') })).toBe(
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    )
    // On other systems, a test cannot change where the system keeps its certificates.
    if (process.platform === 'linux')
      expect(await inProcess(url, { ...env, SSL_CERT_FILE: file })).toBe('GET /v1/models models.example.test')
    expect(await inProcess(url, { ...env, NODE_EXTRA_CA_CERTS: file, SSL_CERT_FILE: '' })).toBe(
      'GET /v1/models models.example.test',
    )
    expect(proxy.asked).toContain('CONNECT models.example.test:443')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a patient request outlasts the time that Node gives an answer', async () => {
  const answers: (() => void)[] = []
  await using server = await aServer((_, response) => void answers.push(() => response.end('at last')))
  const before = getGlobalDispatcher()
  const short = new Agent({ headersTimeout: 300 })
  setGlobalDispatcher(short)
  try {
    const { fetch } = createProxiedFetch(() => none, {})
    const url = `http://127.0.0.1:${server.port}/`
    const patient = fetch(url, {}, true)
    await expect.poll(() => answers.length).toBe(1)
    // The other request is aborted after Node's timeout, which is short in this test.
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })
    for (const answer of answers) answer()
    expect(await (await patient).text()).toBe('at last')
  } finally {
    setGlobalDispatcher(before)
    await short.destroy()
  }
})
