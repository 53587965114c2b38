import { expect, test } from 'vitest'
import { strategyFor } from './guess-strategy.ts'

const STRUCTURED = [
  'gpt-4o-mini',
  'gpt-5.2',
  'chatgpt-4o-latest',
  'openai/gpt-oss-20b',
  'gpt-oss:20b',
  'o3',
  'o4-mini',
  'anthropic/claude-sonnet-4.5',
  'google/gemini-2.5-flash',
  'x-ai/grok-4',
  'moonshotai/kimi-k2',
  'command-r7b:latest',
  'llama3.1:8b',
  'llama3.3',
  'meta-llama/Llama-3.2-3B-Instruct',
  'Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf',
  'meta-llama/llama-4-scout',
  'qwen2.5:7b-instruct',
  'qwen3-coder:30b',
  'Qwen/Qwen3-8B-AWQ',
  'C:\\models\\Qwen2.5-7B-Instruct-Q4_K_M.gguf',
  'qwq:32b',
  'NousResearch/Hermes-3-Llama-3.1-8B',
  'mistral-nemo',
  'mistral-small-latest',
  'mistralai/Mistral-7B-Instruct-v0.3',
  'ministral-3b',
  'devstral:24b',
  'granite3.3:8b',
  'granite4',
  'deepseek-chat',
  'deepseek-ai/DeepSeek-V3.1',
  'zai-org/GLM-4.6',
  'LiquidAI/LFM2-1.2B',
  'phi4-mini',
  'gemma4:e4b',
  'functiongemma',
]

const TEXT = [
  'gemma3:4b',
  'google/gemma-2-9b-it',
  'phi4:14b',
  'phi3:mini',
  'llama2',
  'llama3:8b',
  'Meta-Llama-3-8B-Instruct',
  'codellama:7b',
  'deepseek-r1:1.5b',
  'DeepSeek-R1-Distill-Qwen-7B',
  'deepseek-coder:6.7b',
  'codegemma',
  'tinyllama',
  'vicuna:13b',
  'mistral:7b-instruct-v0.2',
  'smollm2:360m',
  'Qwen/Qwen2.5-7B-base',
  'qwen2:0.5b',
  'gpt-3.5-turbo-instruct',
  'gpt4all-falcon',
  'local-model',
  'my-finetune',
  '',
]

test.for(STRUCTURED)('%s gets its tools as data', model => {
  expect(strategyFor(model)).toBe('structured')
})

test.for(TEXT)('%s gets its tools in the prompt', model => {
  expect(strategyFor(model)).toBe('text')
})
