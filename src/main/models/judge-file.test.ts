import { expect, test } from 'vitest'
import { judgeFile } from './judge-file.ts'

const chatml = '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>{% endfor %}'

test.for<[what: string, architecture: string, template: string | undefined, kind: string, tools: boolean]>([
  ['no template', 'gemma3', undefined, 'base', false],
  ['an empty template', 'llama', ' \n', 'base', false],
  ['a template without tools', 'llama', chatml, 'chat', false],
  ['a template that tells of tools only in a comment', 'llama', `{# no tools #}${chatml}`, 'chat', false],
  ['a template that tells of tools', 'qwen3', `{% if tools %}<tools>{% endif %}${chatml}`, 'chat', true],
  ['a template that calls them functions', 'llama', `functools[{{ functions }}]${chatml}`, 'chat', true],
  ['an embedding model', 'nomic-bert', chatml, 'other', false],
  ['an image encoder without a template', 'clip', undefined, 'other', false],
])('%s', ([, architecture, chatTemplate, kind, madeForTools]) => {
  expect(judgeFile({ architecture, chatTemplate })).toEqual({ kind, madeForTools })
})
