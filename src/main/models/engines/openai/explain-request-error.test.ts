import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { ServedReply } from '../../../../../testing/servers/openai-server.ts'
import type { EngineFailure } from '../../interface/engine.ts'
import { explainRequestError } from '../shared/explain-request-error.ts'
import { redactEagerly } from '../../../untrusted/redact.ts'
import { ProxyError } from '../../../lib/network/proxy-address.ts'
import { anError, failureOf, KEY, setUpServer, TOOL } from '../../../../../testing/models/openai.ts'
import type { Asked } from '../shared/request-failure.ts'
import { openAiWords } from './openai-engine.ts'

const given = setUpServer()
const { answer } = given

type Row = [
  what: string,
  reply: ServedReply,
  expected: { code: EngineFailure['code']; text: string | RegExp; requests?: number },
]

test.for<Row>([
  [
    'a wrong key',
    { status: 401, body: anError(`Incorrect API key provided: ${KEY}.`) },
    { code: 'refused', text: 'Test server did not accept the API key.' },
  ],
  [
    'a key without the right',
    { status: 403, body: anError('no') },
    { code: 'refused', text: 'Test server did not accept the API key for this model.' },
  ],
  [
    'an empty account',
    { status: 429, body: anError('You exceeded your current quota', { code: 'insufficient_quota' }) },
    { code: 'refused', text: 'The account at Test server has no credit left.' },
  ],
  [
    'an unpaid account',
    { status: 402 },
    { code: 'refused', text: 'The account at Test server has no credit left.' },
  ],
  [
    'a model that Ollama does not have',
    { status: 404, body: anError('model "test-model" not found, try pulling it first') },
    { code: 'model_missing', text: 'Test server does not have the model “test-model”.' },
  ],
  [
    'a model that vLLM does not have',
    { status: 404, body: { object: 'error', message: 'The model `test-model` does not exist.' } },
    { code: 'model_missing', text: 'Test server does not have the model “test-model”.' },
  ],
  [
    'a model that LM Studio has not loaded',
    { status: 400, body: anError('No models loaded. Please load a model in the developer page.') },
    { code: 'model_missing', text: 'Test server does not have the model “test-model”.' },
  ],
  [
    'a wrong path',
    { status: 404, body: { detail: 'Not Found' } },
    { code: 'unreachable', text: /^There are no chat completions at 127\.0\.0\.1:\d+ under this address\.$/ },
  ],
  [
    'a wrong path in LM Studio',
    { body: { error: 'Unexpected endpoint or method. (POST /chat/completions)' } },
    {
      code: 'unreachable',
      text: /^There are no chat completions at 127\.0\.0\.1:\d+ under this address\.$/,
    },
  ],
  [
    'a web page',
    { html: '<!doctype html><title>Router</title>' },
    { code: 'unreachable', text: 'The address of Test server answers with a web page instead of a model.' },
  ],
  [
    'a web page that says 404',
    { html: '<html>nothing</html>', status: 404 },
    { code: 'unreachable', text: 'The address of Test server answers with a web page instead of a model.' },
  ],
  [
    'too many requests for long',
    { status: 429, headers: { 'retry-after': '300' } },
    { code: 'rate_limited', text: 'Test server gets too many requests and asks to wait 5 minutes.' },
  ],
  [
    'too many requests every time',
    { status: 429 },
    { code: 'rate_limited', text: 'Test server gets too many requests.', requests: 3 },
  ],
  [
    'tokens per minute',
    { status: 429, body: anError('Rate limit: too many tokens per min.') },
    { code: 'rate_limited', text: 'Test server gets too many requests.', requests: 3 },
  ],
  [
    'errors of its own every time',
    { status: 500, body: anError('CUDA error: out of memory.') },
    {
      code: 'internal',
      text: 'Test server has an internal problem (error 500): “CUDA error: out of memory”.',
      requests: 3,
    },
  ],
  [
    'a request it does not like',
    { status: 400, body: anError('messages: roles must alternate') },
    {
      code: 'internal',
      text: 'Test server did not accept the request (error 400): “messages: roles must alternate”.',
    },
  ],
  [
    'an OpenAI window that is full',
    {
      status: 400,
      body: anError("This model's maximum context length is 8192 tokens.", {
        code: 'context_length_exceeded',
      }),
    },
    { code: 'context_full', text: 'The conversation no longer fits into what test-model can read at once.' },
  ],
  [
    'a llama-server window that is full',
    {
      status: 400,
      body: anError('the request exceeds the available context size, try increasing it', {
        type: 'exceed_context_size_error',
      }),
    },
    { code: 'context_full', text: 'The conversation no longer fits into what test-model can read at once.' },
  ],
  [
    'a window that is full inside the stream',
    {
      error: {
        message: 'The number of tokens to keep from the initial prompt is greater than the context length.',
      },
    },
    { code: 'context_full', text: 'The conversation no longer fits into what test-model can read at once.' },
  ],
  [
    'a stream of garbage',
    { text: 'x', after: 0, garbage: 'data: {"choices": [{"del\n\n' },
    { code: 'internal', text: 'Test server sent something that is not an answer from a model.' },
  ],
  [
    'JSON that is none',
    { status: 200, body: '{"choices": [' },
    { code: 'internal', text: 'Test server sent something that is not an answer from a model.' },
  ],
  [
    'a connection that always breaks',
    { breakAfter: 0 },
    {
      code: 'engine_gone',
      text: 'The connection to Test server broke in the middle of the answer.',
      requests: 3,
    },
  ],
  [
    'a content filter',
    { text: 'I', finish: 'content_filter' },
    { code: 'refused', text: 'The content filter of Test server stopped the answer.' },
  ],
])('%s is explained in plain words with a fix', async ([, reply, expected]) => {
  const failure = failureOf(await answer(reply))
  expect(failure).toEqual({
    code: expected.code,
    text: typeof expected.text === 'string' ? expected.text : expect.stringMatching(expected.text),
    fix: expect.stringMatching(/^[A-Z].*\.$/),
  })
  expect(JSON.stringify(failure)).not.toContain(KEY)
  expect(given.server.chats()).toHaveLength(expected.requests ?? 1)
  expect(given.reported).toEqual([])
})

test.for([
  ['Ollama', 400, { error: { message: 'registry.ollama.ai/library/gemma3:4b does not support tools' } }],
  ['Ollama, in its own form', 400, { error: 'codellama:latest does not support tools' }],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    },
  ],
  ['llama-server', 500, anError('tools param requires --jinja flag')],
  ['OpenRouter', 404, anError('No endpoints found that support tool use.')],
  ['a strict gateway', 422, { detail: [{ loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' }] }],
  ['DeepSeek', 400, anError('deepseek-reasoner does not support Function Calling')],
  ['another', 400, anError('`tool_choice` is not supported for this model')],
  ['a gateway that drops it', 400, anError('Unsupported parameters: tools')],
] satisfies [string, number, unknown][])(
  '%s refusing tools is recognised after one request',
  async ([, status, body]) => {
    const events = await answer({ status, body }, {}, { tools: [TOOL] })
    expect(failureOf(events).code).toBe('tools_unsupported')
    expect(given.server.chats()).toHaveLength(1)
  },
)

test.for([
  ['a schema it does not like', "Invalid schema for function 'list_files': object has no properties"],
  ['a word of a schema', 'tools.0.custom.input_schema: input_schema does not support oneOf at the top level'],
  ['a form of schema', 'Tool schema with `anyOf` is not supported by this model'],
  ['a keyword', "tools[0].function.parameters: unsupported keyword 'pattern'"],
  [
    'a field of a schema',
    'Invalid JSON payload received. Unknown name "exclusiveMinimum" at \'tools[0].function_declarations[3].parameters\'',
  ],
  ['a keyword without the word schema', "tool parameter 'minItems' is not supported"],
  ['a pattern', 'The pattern of a tool argument has a lookahead, which is not supported'],
  ['a name', 'tool names are not allowed to contain blanks'],
  ['too many of them', 'More than 128 tools are not supported: too many tools'],
  [
    'a result without its call',
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
  ],
] satisfies [string, string][])('%s is not mistaken for a refusal of tools', async ([, message]) => {
  const events = await answer({ status: 400, body: anError(message) }, {}, { tools: [TOOL] })
  expect(failureOf(events).code).toBe('internal')
})

test('a server that is not running is named by its address', async () => {
  const free = createServer()
  const port = await new Promise<number>(resolve => {
    free.listen(0, '127.0.0.1', () => resolve((free.address() as { port: number }).port))
  })
  await new Promise(resolve => free.close(resolve))
  const events = await answer({}, { baseUrl: `http://127.0.0.1:${port}/v1` })
  expect(failureOf(events)).toEqual({
    code: 'unreachable',
    text: `Nothing answers at 127.0.0.1:${port}.`,
    fix: 'Start Test server, or correct its address.',
  })
})

test('https on a plain http server is reported as such', async () => {
  const failure = failureOf(await answer({}, { baseUrl: given.server.baseUrl.replace('http:', 'https:') }))
  expect(failure.text).toMatch(/^127\.0\.0\.1:\d+ does not speak this protocol\.$/)
})

/** An error as the SDK passes it on: the code is two causes deep. */
const aConnectionError = (cause: object) =>
  new Error('Connection error.', { cause: new TypeError('fetch failed', { cause }) })

const ASKED: Asked = {
  name: 'Far',
  host: 'far.example',
  nearby: false,
  model: 'm',
  apiKey: KEY,
  api: openAiWords,
  sent: {},
}

test.for([
  ['ENOTFOUND', 'There is no server named far.example, or no network.'],
  ['EAI_AGAIN', 'There is no server named far.example, or no network.'],
  ['EHOSTUNREACH', 'Nothing answers at far.example.'],
  ['UND_ERR_CONNECT_TIMEOUT', 'far.example cannot be reached: it did not answer in time.'],
  ['UND_ERR_HEADERS_TIMEOUT', 'Far did not start to answer within 5 minutes.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of far.example is not trusted.'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'The certificate of far.example is not trusted.'],
  ['CERT_HAS_EXPIRED', 'The certificate of far.example is not valid today.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate of far.example is for another name.'],
] satisfies [string, string][])('%s is explained in plain words', ([code, text]) => {
  const error = aConnectionError(Object.assign(new Error('no'), { code }))
  expect(explainRequestError(error, ASKED)).toEqual({
    retry: false,
    elsewhere: true,
    failure: { code: 'unreachable', text, fix: expect.stringMatching(/^[A-Z].*\.$/) },
  })
})

test('a host with several addresses that all fail gives one failure', () => {
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
  const failure = explainRequestError(aConnectionError(new AggregateError([refused, refused])), ASKED).failure
  expect(failure.text).toBe('Nothing answers at far.example.')
})

test('a proxy that could not be used is named instead of the server behind it', () => {
  const cause = new Error('no', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
  const error = aConnectionError(new ProxyError('The proxy p:1 cannot be reached.', 'Start it.', { cause }))
  expect(explainRequestError(error, ASKED)).toEqual({
    failure: { code: 'unreachable', text: 'The proxy p:1 cannot be reached.', fix: 'Start it.' },
    retry: false,
    elsewhere: true,
  })
})

test('a blocked port is reported as such, without a request', async () => {
  const failure = failureOf(await answer({}, { baseUrl: 'http://localhost:9/v1' }))
  expect(failure.text).toBe('localhost:9 cannot be reached: web addresses may not use this port.')
})

test('an unexpected error is shown without details, and reported without the key', () => {
  const error = new RangeError(`odd: ${KEY}`)
  const { failure, cause } = explainRequestError(error, ASKED)
  expect([failure, cause]).toEqual([
    {
      code: 'internal',
      text: 'The request to Far failed unexpectedly.',
      fix: 'The log has the details.',
    },
    error,
  ])
  expect(redactEagerly(inspect(cause), KEY)).toMatch(/^RangeError: odd: \[redacted\]\n/)
})

test('a key that cannot be sent is refused without being shown', async () => {
  const events = await answer({}, { apiKey: 'sk-with a space and ü' })
  expect(failureOf(events)).toEqual({
    code: 'refused',
    text: 'The API key of Test server contains characters that no key has.',
    fix: 'Copy the key again, without spaces or line breaks.',
  })
  expect(given.server.requests).toEqual([])
})

test('a key echoed by the server’s error is not shown', async () => {
  const body = anError(`The header "Bearer ${KEY}" and the key sk-other-secret-key are both odd`)
  expect(failureOf(await answer({ status: 400, body })).text).toBe(
    'Test server did not accept the request (error 400): “The header "Bearer [redacted]" and the key sk-[redacted] are both odd”.',
  )
})
