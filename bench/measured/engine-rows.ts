import type { Row, Section } from './row.ts'

const WINDOWS = [131_072, 32_768, 16_384, 8_192, 4_096, 2_048]
/** The share of a context window that the tools may take. */
const TOOLS_SHARE = 0.15

const toolsRow = (window: number, way: 'data' | 'text'): Row => {
  const name = `tools_${window}_${way}`
  return {
    what: way === 'data' ? 'servers that take tools as data' : 'tools described as text',
    on: `a window of ${window.toLocaleString('en-US')}`,
    record: 'bench.tools',
    shows: `{${name}_after_tokens}, shortened from {${name}_before_tokens}`,
    goals: [{ figure: `${name}_after_tokens`, most: Math.floor(window * TOOLS_SHARE) }],
  }
}

const threadsRow = (name: string, on: string): Row => ({
  what: 'the automatic number of threads beside the better of one and two: writing; reading; tokens/s',
  on: `a random model of 0.2 B, ${on}`,
  record: 'bench.threads',
  shows: `{threads_${name}_ratio}; {threads_${name}_prefill_ratio}; {threads_${name}_tokens_per_second}`,
})

const half = 'a random model in the shape of a 0.6 B one'
const quarter = 'a random model of 0.2 B'

/** The sections on the local engine and on prompts. */
export const engineSections: readonly Section[] = [
  {
    title: 'Local engine',
    says: 'Beside: the same work by a bare loop of node-llama-cpp, in turns, one thread. A ratio of 1 is as fast.',
    rows: [
      ...[
        ['base', 'random weights, 27 M'],
        ['demo', 'the built-in model'],
      ].map(([name = '', on = '']) => ({
        what: 'writing and reading beside the bare loop',
        on,
        record: 'bench.engine',
        shows: `× {engine_${name}_decode_ratio} and × {engine_${name}_prefill_ratio}`,
      })),
      {
        what: 'reading and writing beside llama.cpp’s own benchmark, one thread',
        on: half,
        record: 'bench.peer',
        shows: '× {peer_half_prefill_1_thread_ratio} and × {peer_half_decode_1_thread_ratio}',
      },
      {
        what: 'stop until the engine is free, p95',
        on: 'random weights, 27 M',
        record: 'bench.engine',
        shows: '{engine_stop_until_free_p95_ms} ms',
      },
      {
        what: 'tokens evaluated on turns 1, 2 and 10 of a chat, of those in the prompt',
        on: 'a scripted model',
        record: 'bench.chat',
        shows:
          '{turn_1_evaluated_tokens} of {turn_1_prompt_tokens}, {turn_2_evaluated_tokens} of {turn_2_prompt_tokens}, {turn_10_evaluated_tokens} of {turn_10_prompt_tokens}',
      },
      {
        what: 'a new chat after a restart: evaluating its prompt; restoring it to the first token',
        on: half,
        record: 'bench.states',
        shows:
          '{states_evaluate_ms} ms; {states_restored_first_token_ms} ms (× {states_restored_ratio}), {states_prompt_tokens} tokens',
      },
      {
        what: 'the stored state: saving; size',
        on: half,
        record: 'bench.states',
        shows: '{states_save_ms} ms; {states_save_mib} MiB',
      },
      {
        what: 'the first word of a chat after its model was unloaded: with what was kept; with all read again',
        on: half,
        record: 'bench.states',
        shows:
          '{states_kept_first_token_ms} ms, {states_kept_evaluated_tokens} tokens read; {states_lost_first_token_ms} ms',
      },
      {
        what: 'keys and values in 16 and in 8 bits: peak memory; perplexity; the same likeliest token',
        on: quarter,
        record: 'bench.contexts',
        shows:
          '{contexts_peak_16_mib} and {contexts_peak_8_mib} MiB; {contexts_perplexity_16} and {contexts_perplexity_8}; {contexts_same_likeliest_percent%}',
      },
      {
        what: 'tokens a second with 16 and 8 bits, on one thread: reading 2,500; writing behind them',
        on: quarter,
        record: 'bench.contexts',
        shows:
          '{contexts_read_16_per_s} and {contexts_read_8_per_s}; {contexts_write_16_per_s} and {contexts_write_8_per_s}',
      },
      {
        what: 'three sub-agents of a local model: in turns; the model loaded anew with a place for each; places from the start',
        on: quarter,
        record: 'bench.contexts',
        shows: '{contexts_waiting_ms}; {contexts_anew_ms}; {contexts_held_ms} ms of a processor',
      },
      {
        what: 'memory of the decider’s process: the sentence encoder; the built-in model',
        on: 'the models that ship',
        record: 'bench.contexts',
        shows: '{contexts_encoder_mib}; {contexts_mini_mib} MiB',
        goals: [
          { figure: 'contexts_encoder_mib', most: 200, unit: ' MiB' },
          { figure: 'contexts_mini_mib', most: 200, unit: ' MiB' },
        ],
      },
      {
        what: 'switching among three chats on two places: tokens evaluated; time beside evaluating all',
        on: half,
        record: 'bench.states',
        shows: '{states_switch_evaluated_tokens} of {states_switch_prompt_tokens}; × {states_switch_ratio}',
      },
      {
        what: 'first token of the foreground: alone; while background work writes; while it reads',
        on: half,
        record: 'bench.states',
        shows:
          '{background_alone_first_token_ms}; {background_writing_first_token_ms}; {background_reading_first_token_ms} ms',
      },
      {
        what: 'worst error of the memory estimate',
        on: 'models of five sizes',
        record: 'bench.memory',
        shows: '{memory_worst_error_percent%} in {memory_cases} cases',
        goals: [{ figure: 'memory_worst_error_percent', most: 10, unit: ' %' }],
      },
      threadsRow('idle', 'an idle machine'),
      threadsRow('one', 'beside one busy program'),
      threadsRow('two', 'beside two busy programs'),
      {
        what: 'tokens of a chat that a review reads again',
        on: half,
        record: 'bench.review',
        shows: '{review_read_again_tokens} of {review_snapshot_tokens}',
      },
      {
        what: 'a message of the person while a review runs, in the same chat, p95',
        on: half,
        record: 'bench.review',
        shows: '{review_wait_own_chat_p95_ms} ms',
      },
      {
        what: 'the same in another chat, p95',
        on: half,
        record: 'bench.review',
        shows: '{review_wait_other_chat_p95_ms} ms',
        goals: [{ figure: 'review_wait_other_chat_p95_ms', most: 300, unit: ' ms' }],
      },
    ],
  },
  {
    title: 'Tool calls of local models',
    says: 'Models of random weights show that the grammar holds. The tools are those of a chat with a larger model, in their full form, and some of an MCP server. Calls that do not end within their limit call nothing.',
    rows: [
      {
        what: 'forced calls that are read and valid, of those that ended: the Hermes format',
        on: 'random weights',
        record: 'bench.calls',
        shows: '{forced_calls_valid} of {forced_calls_ended} ({forced_calls_unended} did not end)',
      },
      {
        what: 'the same in every format',
        on: 'random weights',
        record: 'bench.calls',
        shows:
          '{forced_calls_all_formats_valid} of {forced_calls_all_formats_ended} ({forced_calls_all_formats_unended} did not end)',
      },
      {
        what: 'the same with the tools of the built-in model, the Hermes format',
        on: 'random weights',
        record: 'bench.calls',
        shows:
          '{forced_calls_basic_valid} of {forced_calls_basic_ended} ({forced_calls_basic_unended} did not end)',
      },
      ...[
        ['base', 'random weights, 27 M'],
        ['half', half],
      ].map(([name = '', on = '']) => ({
        what: 'writing under the grammar beside free; where nearly every token is rejected; the switch',
        on,
        record: 'bench.grammar',
        shows: `× {grammar_${name}_right_ratio}; × {grammar_${name}_wrong_ratio}; {grammar_${name}_switch_ms} ms`,
      })),
      {
        what: 'the reader of calls, text that arrives in pieces; whole',
        on: 'prose with calls',
        record: 'bench.parser',
        shows: '{parser_prose_streamed_mb_per_s} MB/s; {parser_prose_whole_mb_per_s} MB/s',
      },
      {
        what: 'the slowest hostile megabyte, in pieces; whole',
        on: 'twelve hostile texts',
        record: 'bench.parser',
        shows: '{parser_hostile_megabyte_streamed_s} s; {parser_hostile_megabyte_whole_s} s',
      },
    ],
  },
  {
    title: 'Tools in a prompt',
    says: 'Tokens of the tools in the prompt of a new chat, as the product estimates them. They may take 15 % of the window.',
    rows: WINDOWS.flatMap(window => [toolsRow(window, 'data'), toolsRow(window, 'text')]),
  },
]
