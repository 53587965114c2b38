import type { CaseName } from '../pulse/cases.ts'
import type { Row, Section } from './row.ts'

/** Rows with the same record that are measured on the same thing. */
const rowsOf = (record: string, on: string, rows: readonly Omit<Row, 'record' | 'on'>[]): Row[] =>
  rows.map(row => ({ ...row, record, on }))

/** What the host is doing in each case. */
const PULSES = {
  import: '130,000 messages are imported, with a preview',
  turn: 'the first turn and further ones in a chat of 100,000 messages',
  line: 'a server sends 20 MB in one line',
  replace: 'a file of 30 MB is patched, read and replaced',
  skills: '5,000 skills are read again',
  search: 'a search in a million messages',
  compaction: 'compactions of a chat of 100,000 messages and of twenty of 2,000',
  backup: 'a backup',
  purge: 'chats of 100,000 and of 2,000 messages are removed',
  hostile:
    'ten hostile texts at once, through a file, an answer, a message, an MCP server, skills, imports, settings and a search',
} satisfies Record<CaseName, string>

/** The sections on waiting times and on what Talaria takes from the computer. */
export const speedSections: readonly Section[] = [
  {
    title: 'Window and host',
    says: '',
    rows: [
      ...rowsOf('bench.window', 'the built host and Chromium', [
        {
          what: 'host start to ready; its memory without a model',
          shows: '{host_ready_ms} ms; {host_rss_mib} MiB',
        },
        {
          what: 'first paint of the window; the composer takes text',
          shows: '{window_first_paint_ms} ms; {window_composer_ms} ms',
        },
        { what: 'opening a chat of 10,000 messages', shows: '{open_10000_messages_ms} ms' },
        {
          what: 'opening a chat of 500 turns with 50 branches',
          shows: '{open_500_turns_with_branches_ms} ms',
          goals: [{ figure: 'open_500_turns_with_branches_ms', most: 100, unit: ' ms' }],
        },
        {
          what: 'opening the card of a model for the first time',
          shows: '{open_model_card_ms} ms',
          goals: [{ figure: 'open_model_card_ms', most: 200, unit: ' ms' }],
        },
      ]),
      ...rowsOf('bench.answers', 'Chromium; 1 means the same work', [
        {
          what: 'drawing an answer of 500 kB beside one of 50 kB: the work; the longest time that the window stands still',
          shows: '× {answers_long_work_over_tenth}; × {answers_long_longest_over_tenth}',
          goals: [{ figure: 'answers_long_work_over_tenth', most: 15 }],
        },
        {
          what: 'the longest such time, of all the time that 500 kB take',
          shows: '{answers_long_longest_share} %',
        },
        {
          what: '12 kB that grow by 200 characters beside the same at once: mixed; one list; one paragraph; one table; one block of code; footnotes',
          shows:
            '× {answers_mixed_grown_over_whole}; × {answers_list_grown_over_whole}; × {answers_paragraph_grown_over_whole}; × {answers_table_grown_over_whole}; × {answers_code_grown_over_whole}; × {answers_notes_grown_over_whole}',
        },
        {
          what: '60 kB of `**_word ` beside as much of an ordinary answer: at once; growing',
          shows: '× {answers_marks_work_over_mixed}; × {answers_marks_grown_over_mixed_grown}',
          goals: [{ figure: 'answers_marks_work_over_mixed', most: 1 }],
        },
      ]),
      ...rowsOf('bench.rpc', 'a WebSocket on this computer', [
        { what: 'a call there and back, p50 and p95', shows: '{rpc_call_p50_ms} and {rpc_call_p95_ms} ms' },
        { what: 'a streamed token, p50 and p95', shows: '{rpc_token_p50_ms} and {rpc_token_p95_ms} ms' },
      ]),
      ...rowsOf('bench.feed', 'a host with five windows and a terminal', [
        {
          what: 'a change of the terminal until every window has read it, p50 and p95',
          shows: '{feed_seen_p50_ms} and {feed_seen_p95_ms} ms',
          goals: [{ figure: 'feed_seen_p95_ms', most: 100 }],
        },
        {
          what: 'how often a window reads for 100 changes in a burst',
          shows: '{feed_burst_reads}',
        },
      ]),
      ...rowsOf('bench.chat', 'models of random weights', [
        {
          what: 'stop until the turn has ended, p50 and p95',
          shows: '{stop_p50_ms} and {stop_p95_ms} ms ({stop_samples} stops)',
        },
      ]),
      ...rowsOf('bench.confinement', 'a folder with 200 folders', [
        { what: 'a command without confinement', shows: '{command_bare_ms} ms' },
        {
          what: 'what confining adds in *Look*',
          shows: '{command_look_added_ms} ms',
          goals: [{ figure: 'command_look_added_ms', most: 30, unit: ' ms' }],
        },
        {
          what: 'what confining adds in *Work*',
          shows: '{command_work_added_ms} ms',
          goals: [{ figure: 'command_work_added_ms', most: 30, unit: ' ms' }],
        },
      ]),
      ...rowsOf('bench.batch', 'a server that answers after 200 ms', [
        {
          what: 'rows of a batch beside the same requests sent by loops that do nothing else',
          shows: 'ratio {batch_ratio}',
          goals: [{ figure: 'batch_ratio', least: 0.9 }],
        },
        {
          what: 'memory of the last half of the rows beside the first',
          shows: 'ratio {batch_memory_ratio}',
          goals: [{ figure: 'batch_memory_ratio', most: 1.1 }],
        },
      ]),
      ...rowsOf('bench.longchats', 'a chat of 1,000; of 10,000; of 100,000 messages', [
        {
          what: 'a long chat is opened',
          shows: '{long_chat_1k_open_ms}; {long_chat_10k_open_ms}; {long_chat_100k_open_ms} ms',
        },
        {
          what: 'all questions of it are listed',
          shows: '{long_chat_1k_turns_ms}; {long_chat_10k_turns_ms}; {long_chat_100k_turns_ms} ms',
        },
        {
          what: 'a search in it',
          shows: '{long_chat_1k_find_ms}; {long_chat_10k_find_ms}; {long_chat_100k_find_ms} ms',
        },
        {
          what: 'its first turn, which summarises it',
          shows:
            '{long_chat_1k_first_turn_ms}; {long_chat_10k_first_turn_ms}; {long_chat_100k_first_turn_ms} ms',
        },
        {
          what: 'a turn after that',
          shows: '{long_chat_1k_turn_ms}; {long_chat_10k_turn_ms}; {long_chat_100k_turn_ms} ms',
        },
      ]),
      ...rowsOf('bench.bounds', 'repeats of one thing, as long as the text may be', [
        {
          what: 'functions that read texts of others and take over 500 ms, or grow faster than the text; the slowest',
          shows:
            '{bounds_over} of {bounds_parsers}, each in {bounds_shapes} shapes; {bounds_worst_ms} ms: {bounds_worst}',
          goals: [{ figure: 'bounds_over', most: 0 }],
        },
      ]),
      ...rowsOf('bench.hook', 'the script inside Claude Code', [
        {
          what: 'an event beside a bare start of Node, at the start of a session and at the end of a turn',
          shows: '{hook_start_ratio} and {hook_stop_ratio}',
          goals: [
            { figure: 'hook_start_ratio', most: 1.6 },
            { figure: 'hook_stop_ratio', most: 1.6 },
          ],
        },
      ]),
      ...rowsOf('bench.api', 'a random local model', [
        {
          what: 'an answer streamed to another program beside the same in the own chat, in letters a second',
          shows: '{api_letters_per_s} and {api_own_letters_per_s}, ratio {api_over_own}',
        },
        {
          what: 'the own chat while a program is answered, beside alone',
          shows: '{api_own_beside_over_alone}',
        },
        {
          what: 'how late the host is under 500 connections of another process with a megabyte each, and while nothing is done',
          shows:
            'p99 {api_flood_pulse_p99_ms} and {api_flood_idle_p99_ms} ms, worst {api_flood_pulse_worst_ms} and {api_flood_idle_worst_ms} ms',
        },
      ]),
      ...rowsOf('bench.agents', 'a scripted local model', [
        {
          what: 'a second sub-agent: tokens evaluated, of those in its prompt',
          shows: '{agent_2_evaluated_tokens} of {agent_prompt_tokens}',
        },
        {
          what: 'first token of the first and the second sub-agent',
          shows: '{agent_1_first_token_ms} and {agent_2_first_token_ms} ms',
        },
        {
          what: 'stop of a turn with four sub-agents until the last request is aborted, p50 and p95',
          shows: '{agents_stop_aborts_p50_ms} and {agents_stop_aborts_p95_ms} ms',
        },
        {
          what: 'the same until all have ended, p50 and p95',
          shows: '{agents_stop_ends_p50_ms} and {agents_stop_ends_p95_ms} ms',
        },
      ]),
    ],
  },
  {
    title: 'Long work beside the window',
    says: 'How soon the host answers another process that asks for the list of chats every ten milliseconds: the 99th percentile, the worst call, and the 99th percentile while nothing is done.',
    rows: [
      ...rowsOf('bench.pulse', 'the built host', [
        {
          what: 'cases within the promise: p99 50 ms or three times the idle one, worst 250 ms',
          shows: '{pulse_cases_that_hold} of {pulse_cases}',
          goals: [{ figure: 'pulse_cases_that_hold', least: Object.keys(PULSES).length }],
        },
        ...Object.entries(PULSES).map(([name, what]) => ({
          what,
          shows: `p99 {pulse_${name}_p99_ms} ms, worst {pulse_${name}_worst_ms} ms, idle {pulse_${name}_idle_p99_ms} ms`,
        })),
      ]),
    ],
  },
  {
    title: 'Stored things',
    says: '',
    rows: [
      ...rowsOf('bench.recall', '1,000,000 messages', [
        {
          what: 'a search in the window, p50 and p95; the first one',
          shows: '{recall_window_p50_ms} and {recall_window_p95_ms} ms; {recall_window_cold_ms} ms',
        },
        {
          what: 'the tool `session_search`, p50 and p95; the first one',
          shows: '{recall_tool_p50_ms} and {recall_tool_p95_ms} ms; {recall_tool_cold_ms} ms',
        },
        {
          what: 'a search in the window while half is indexed, p50 and p95',
          shows: '{recall_half_indexed_window_p50_ms} and {recall_half_indexed_window_p95_ms} ms',
        },
        { what: 'appending a message, p95', shows: '{recall_append_p95_ms} ms' },
        { what: 'bytes a message takes beyond its text', shows: '{recall_bytes_per_message}' },
      ]),
      ...rowsOf('bench.skills', '5,000 skills', [
        { what: 'the first list, nothing known', shows: '{skills_cold_list_ms} ms' },
        { what: 'the first list of a process that finds the index', shows: '{skills_reopened_list_ms} ms' },
        {
          what: 'later lists, p50 and p95',
          shows: '{skills_warm_list_p50_ms} and {skills_warm_list_p95_ms} ms',
        },
      ]),
      ...rowsOf('bench.compaction', '2,000 messages, no model', [
        {
          what: 'a compaction by the clock; processor time',
          shows: '{compaction_p50_ms} ms; {compaction_cpu_p50_ms} ms',
          goals: [{ figure: 'compaction_p50_ms', most: 50, unit: ' ms' }],
        },
      ]),
      ...rowsOf('bench.files', 'a file of 1 MB', [
        { what: 'an edit, quoted exactly', shows: '{patch_exact_ms} ms' },
        { what: 'with another depth of blanks', shows: '{patch_other_depth_ms} ms' },
        { what: 'that is not found', shows: '{patch_not_found_ms} ms' },
        { what: 'in 35,000 places', shows: '{patch_all_places_ms} ms' },
      ]),
      ...rowsOf('bench.web', 'a handbook', [
        { what: 'a page of 0.4 MB; one of 5 MB, as Markdown', shows: '{web_small_ms}; {web_large_ms} ms' },
      ]),
      ...rowsOf('bench.files', '3,000 files', [
        {
          what: 'search for a word; beside reading every file and trying a RegExp on every line',
          shows: '{search_word_ms} ms; × {search_word_over_plain}',
        },
        {
          what: 'the same for `\\bÄpfeln\\b`',
          shows: '{search_letters_ms} ms; × {search_letters_over_plain}',
        },
        { what: 'the same for `\\w+Nothing\\b`', shows: '{search_any_ms} ms; × {search_any_over_plain}' },
      ]),
      ...['everything', 'filesystem', 'memory'].flatMap(server =>
        rowsOf('bench.mcp', `the reference server ${server}`, [
          {
            what: 'connecting; when its era is known; a call there and back',
            shows: `{mcp_${server}_connect_ms} ms; {mcp_${server}_connect_known_ms} ms; {mcp_${server}_call_ms} ms`,
          },
          {
            what: 'its tools; their tokens when all are pinned; memory of the process',
            shows: `{mcp_${server}_tools}; {mcp_${server}_tokens}; {mcp_${server}_rss_mib} MiB`,
          },
        ]),
      ),
    ],
  },
]
