import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCases } from '../../../../../../testing/count-cases.ts'
import { familyTemplates } from '../../../../../../testing/gguf/templates.ts'
import { readTemplate } from './chat-template.ts'
import { type Role, type Turn, splitOpener } from './fill-chat-template.ts'

/** The prompt of each family for one question with one call, which is written as the text strategy would. */
const families: Record<
  keyof typeof familyTemplates,
  { toolRole: boolean; opener: string; call: string; prompt: string }
> = {
  qwen3: {
    toolRole: true,
    opener: '',
    call: '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    prompt:
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhat time is it?<|im_end|>\n' +
      '<|im_start|>assistant\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call><|im_end|>\n' +
      '<|im_start|>user\n<tool_response>\n15:30\n</tool_response><|im_end|>\n' +
      '<|im_start|>assistant\nHalf past three.<|im_end|>\n<|im_start|>user\nThanks.<|im_end|>\n<|im_start|>assistant\n',
  },
  llama3: {
    toolRole: true,
    opener: '',
    call: '{"name": "now", "parameters": {}}',
    prompt:
      '<s><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\n\nBe brief.<|eot_id|>' +
      '<|start_header_id|>user<|end_header_id|>\n\nWhat time is it?<|eot_id|>' +
      '<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "now", "parameters": {}}<|eot_id|>' +
      '<|start_header_id|>ipython<|end_header_id|>\n\n"15:30"<|eot_id|>' +
      '<|start_header_id|>assistant<|end_header_id|>\n\nHalf past three.<|eot_id|>' +
      '<|start_header_id|>user<|end_header_id|>\n\nThanks.<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  },
  gemma3: {
    toolRole: false,
    opener: '',
    call: '```tool_code\nnow()\n```',
    prompt:
      '<s><start_of_turn>user\nBe brief.\n\nWhat time is it?<end_of_turn>\n' +
      '<start_of_turn>model\n```tool_code\nnow()\n```<end_of_turn>\n<start_of_turn>user\n15:30<end_of_turn>\n' +
      '<start_of_turn>model\nHalf past three.<end_of_turn>\n<start_of_turn>user\nThanks.<end_of_turn>\n<start_of_turn>model\n',
  },
  gemma4: {
    toolRole: true,
    opener: '',
    call: '<|tool_call>call:now{}<tool_call|>',
    prompt:
      '<s><|turn>system\nBe brief.<turn|>\n<|turn>user\nWhat time is it?<turn|>\n' +
      '<|turn>model\n<|tool_call>call:now{}<tool_call|>' +
      '<|tool_response>response:now{value:<|"|>15:30<|"|>}<tool_response|>Half past three.<turn|>\n' +
      '<|turn>user\nThanks.<turn|>\n<|turn>model\n',
  },
  mistral: {
    toolRole: true,
    opener: '',
    call: '[TOOL_CALLS] [{"name": "now", "arguments": {}}]',
    prompt:
      '<s>[INST] Be brief.\n\nWhat time is it?[/INST][TOOL_CALLS] [{"name": "now", "arguments": {}}]</s>' +
      '[TOOL_RESULTS] {"content": 15:30, "call_id": "call00000"}[/TOOL_RESULTS] Half past three.</s>[INST] Thanks.[/INST]',
  },
  phi4: {
    toolRole: false,
    opener: '',
    call: '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    prompt:
      '<|im_start|>system<|im_sep|>Be brief.<|im_end|><|im_start|>user<|im_sep|>What time is it?<|im_end|>' +
      '<|im_start|>assistant<|im_sep|><tool_call>\n{"name": "now", "arguments": {}}\n</tool_call><|im_end|>' +
      '<|im_start|>user<|im_sep|>15:30<|im_end|><|im_start|>assistant<|im_sep|>Half past three.<|im_end|>' +
      '<|im_start|>user<|im_sep|>Thanks.<|im_end|><|im_start|>assistant<|im_sep|>',
  },
  phi4Mini: {
    toolRole: true,
    opener: '',
    call: '<|tool_call|>[{"name": "now", "arguments": {}}]<|/tool_call|>',
    prompt:
      '<|system|>Be brief.<|end|><|user|>What time is it?<|end|>' +
      '<|assistant|><|tool_call|>[{"name": "now", "arguments": {}}]<|/tool_call|><|end|><|tool|>15:30<|end|>' +
      '<|assistant|>Half past three.<|end|><|user|>Thanks.<|end|><|assistant|>',
  },
  granite3: {
    toolRole: true,
    opener: '',
    call: '<|tool_call|>[{"name": "now", "arguments": {}}]',
    prompt:
      '<|start_of_role|>system<|end_of_role|>Be brief.<|end_of_text|>\n' +
      '<|start_of_role|>user<|end_of_role|>What time is it?<|end_of_text|>\n' +
      '<|start_of_role|>assistant<|end_of_role|><|tool_call|>[{"name": "now", "arguments": {}}]<|end_of_text|>\n' +
      '<|start_of_role|>tool<|end_of_role|>15:30<|end_of_text|>\n' +
      '<|start_of_role|>assistant<|end_of_role|>Half past three.<|end_of_text|>\n' +
      '<|start_of_role|>user<|end_of_role|>Thanks.<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>',
  },
  deepseekR1: {
    toolRole: true,
    opener: '<think>\n',
    call: '<｜tool▁calls▁begin｜>…<｜tool▁calls▁end｜>',
    prompt:
      '<s>Be brief.<｜User｜>What time is it?<｜Assistant｜><｜tool▁calls▁begin｜>…<｜tool▁calls▁end｜><｜end▁of▁sentence｜>' +
      '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>15:30<｜tool▁output▁end｜><｜tool▁outputs▁end｜>' +
      'Half past three.<｜end▁of▁sentence｜><｜User｜>Thanks.<｜Assistant｜><think>\n',
  },
  commandR7b: {
    toolRole: true,
    opener: '<|START_THINKING|><|END_THINKING|>',
    call: '<|START_ACTION|>[{"tool_name": "now", "parameters": {}}]<|END_ACTION|>',
    prompt:
      '<s><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|># System Preamble\nBe brief.<|END_OF_TURN_TOKEN|>' +
      '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>What time is it?<|END_OF_TURN_TOKEN|>' +
      '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_ACTION|>[{"tool_name": "now", "parameters": {}}]<|END_ACTION|>' +
      '<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><|START_TOOL_RESULT|>' +
      '[{"results": {"0": "15:30"}}]<|END_TOOL_RESULT|><|END_OF_TURN_TOKEN|>' +
      '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_RESPONSE|>Half past three.<|END_RESPONSE|><|END_OF_TURN_TOKEN|>' +
      '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>Thanks.<|END_OF_TURN_TOKEN|>' +
      '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_THINKING|><|END_THINKING|>',
  },
  harmony: {
    toolRole: true,
    opener: '',
    call: '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}',
    prompt:
      '<|start|>system<|message|>You are a language model.\n\n# Valid channels: analysis, commentary, final.<|end|>' +
      '<|start|>developer<|message|># Instructions\n\nBe brief.<|end|><|start|>user<|message|>What time is it?<|end|>' +
      '<|start|>assistant<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>' +
      '<|start|>functions.now to=assistant<|channel|>commentary<|message|>"15:30"<|end|>' +
      '<|start|>assistant<|channel|>final<|message|>Half past three.<|end|>' +
      '<|start|>user<|message|>Thanks.<|end|><|start|>assistant',
  },
  lfm2: {
    toolRole: true,
    opener: '',
    call: '<|tool_call_start|>[now()]<|tool_call_end|>',
    prompt:
      '<s><|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhat time is it?<|im_end|>\n' +
      '<|im_start|>assistant\n<|tool_call_start|>[now()]<|tool_call_end|><|im_end|>\n' +
      '<|im_start|>tool\n<|tool_response_start|>15:30<|tool_response_end|><|im_end|>\n' +
      '<|im_start|>assistant\nHalf past three.<|im_end|>\n<|im_start|>user\nThanks.<|im_end|>\n<|im_start|>assistant\n',
  },
  glm: {
    toolRole: true,
    opener: '',
    call: '<tool_call>now\n</tool_call>',
    prompt:
      '[gMASK]<sop><|system|>\nBe brief.<|user|>\nWhat time is it?<|assistant|>\n<think></think>\n<tool_call>now\n</tool_call>' +
      '<|observation|>\n<tool_response>\n15:30\n</tool_response><|assistant|>\n<think></think>\nHalf past three.' +
      '<|user|>\nThanks.<|assistant|>',
  },
  nemotron: {
    toolRole: true,
    opener: '<think>\n',
    call: '<tool_call>\n<function=now>\n</function>\n</tool_call>',
    prompt:
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhat time is it?<|im_end|>\n' +
      '<|im_start|>assistant\n<think></think><tool_call>\n<function=now>\n</function>\n</tool_call><|im_end|>\n' +
      '<|im_start|>user\n<tool_response>\n15:30\n</tool_response>\n<|im_end|>\n' +
      '<|im_start|>assistant\n<think></think>Half past three.<|im_end|>\n<|im_start|>user\nThanks.<|im_end|>\n' +
      '<|im_start|>assistant\n<think>\n',
  },
}

describe.for(Object.entries(families))('a model of the family %s', ([family, expected]) => {
  const template = readTemplate(familyTemplates[family as keyof typeof familyTemplates], {
    bos: '<s>',
    eos: '</s>',
  })

  test('gets a conversation with a call in its training format', () => {
    const { toolRole, opener, call, prompt } = expected
    const texts = ['Be brief.', 'What time is it?', call, '15:30', 'Half past three.', 'Thanks.']
    const roles = ['system', 'user', 'assistant', 'tool', 'assistant', 'user'] as const
    const parts = template.layOut(roles.map(role => ({ role, generated: false, name: 'now' })))
    expect(parts.map(part => ('frame' in part ? part.frame : texts[part.message])).join('')).toBe(prompt)
    expect(template).toMatchObject({ toolRole, opener, appendOnly: true, problem: undefined })
  })

  test('gets each prompt as a continuation of the previous one, with any number of calls and results', () => {
    const { met, atLeast } = countCases<'user' | 'tool'>()
    fc.assert(
      fc.property(fc.boolean(), conversation, (hasSystem, steps) => {
        const turns = [...(hasSystem ? [turn('system')] : []), ...steps.flat()]
        const whole = template.layOut([...turns, turn('user')])
        turns.forEach(({ role }, at) => {
          const ends = role === 'user' || (role === 'tool' && turns[at + 1]?.role !== 'tool')
          if (!ends) return
          met(role === 'user' ? 'user' : 'tool')
          const { parts } = splitOpener(template.layOut(turns.slice(0, at + 1)), template.opener)
          expect(whole.slice(0, parts.length)).toEqual(parts)
        })
      }),
      { numRuns: 30 },
    )
    atLeast({ user: 20, tool: 25 })
  })
})

const turn = (role: Role): Turn => ({ role, generated: role === 'assistant', name: 'now' })

/** Questions, each with as many rounds of calls and results as there are numbers, and an answer. */
const conversation = fc.array(
  fc
    .array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 })
    .map(rounds => [
      turn('user'),
      ...rounds.flatMap(results => [
        turn('assistant'),
        ...Array.from({ length: results }, () => turn('tool')),
      ]),
      turn('assistant'),
    ]),
  { minLength: 1, maxLength: 3 },
)
