import { expect, test } from 'vitest'
import { readServerMessage } from './sdk-fetch.ts'

test.for([
  [
    'OpenAI',
    '{"error":{"message":"Too long.","type":"invalid_request_error","code":"context_length_exceeded"}}',
    'Too long.',
    'context_length_exceeded invalid_request_error',
  ],
  ['Ollama', '{"error":"model not found"}', 'model not found', ''],
  [
    'vLLM',
    '{"object":"error","message":"No such model.","type":"NotFoundError","code":404}',
    'No such model.',
    '404 NotFoundError',
  ],
  ['FastAPI', '{"detail":"Not Found"}', 'Not Found', ''],
  [
    'pydantic',
    '{"detail":[{"loc":["body","top_k"],"msg":"Extra inputs are not permitted"}]}',
    'top_k: Extra inputs are not permitted',
    '',
  ],
  ['a gateway', '{"errors":[{"message":"Bad account"},"and more"]}', 'Bad account; and more', ''],
  ['a proxy', 'upstream connect error\n', 'upstream connect error', ''],
  ['a web server', '<!DOCTYPE html><html><body>Oops</body></html>', '', ''],
  ['nobody', '', '', ''],
  ['a list', '[]', '', ''],
  ['null', 'null', '', ''],
] satisfies [string, string, string, string][])('%s is understood', ([, body, text, code]) => {
  expect(readServerMessage(body)).toEqual({ text, code })
})
