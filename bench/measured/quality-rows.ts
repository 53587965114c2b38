import type { Row, Section } from './row.ts'

const OWN = 'the repository’s own set'

const recallRows = (set: 'recall-own' | 'recall', on: string): Row[] =>
  (
    [
      ['default', 'what models get', 84, 3_800],
      ['full', 'with `detail: full`', 91, 10_500],
    ] as const
  ).map(([form, words, least, most]) => ({
    what: `questions whose answer shows a message that answers them whole: ${words}`,
    on,
    record: `${set}-${form}`,
    shows:
      '{anyWhole%} (all of them {allWhole%}) of {questions} questions, {characters} characters; the chat in the first three {sessionInFirstThree%}',
    // Only the large set has goals. The small one is there so that a decline is noticed.
    ...(set === 'recall' && {
      goals: [
        { figure: 'anyWhole', least, unit: ' %' },
        { figure: 'characters', most, unit: ' characters' },
      ],
    }),
  }))

const toolcallRows = (set: 'toolcalls-own' | 'toolcalls', on: string): Row[] =>
  (['local', 'server'] as const).map(engine => ({
    what: `texts of models that are read as labelled: ${engine === 'local' ? 'the local engine' : 'a server'}`,
    on,
    record: `${set}-${engine}`,
    shows:
      '{right} of {scored} (with calls {withCallsRight} of {withCalls}; none {asTextRight} of {asText}); wrongly refused {refusedWrongly}',
  }))

const scanRow = (record: string, on: string): Row => ({
  what: 'dangerous skills that are blocked where they are dangerous, and of those that hide nothing; harmless ones that are blocked; with a caution',
  on,
  record,
  shows: '{blocked%} of {harmful}, {blockedPlain%}; {harmlessBlocked%}; {harmlessCaution%}',
})

const REQUESTS: [set: string, on: string, goal?: number][] = [
  ['fresh', 'requests for well-known servers, only counted', 90],
  ['lookedAt', 'the same, looked at while the words were fitted'],
  ['rare', 'requests for rarer kinds of servers', 90],
  ['model', 'as models word what they look for', 90],
]

const findtoolRows = (record: 'findtool' | 'findtool-words', way: string): Row[] =>
  REQUESTS.map(([set, on, goal]) => ({
    what: `the tool that was meant comes first; among the first three: ${way}`,
    on,
    record,
    shows: `{${set}First%}; {${set}FirstThree%}`,
    // The goal is for the version that people use, which has the encoder.
    ...(goal !== undefined &&
      record === 'findtool' && { goals: [{ figure: `${set}FirstThree`, least: goal, unit: ' %' }] }),
  }))

const smallRows = (record: 'small' | 'small-fresh' | 'small-sample', on: string): Row[] => [
  {
    what: 'the built-in model: a tool is called where one is wanted; the right one with its arguments at once; after one question; called where none is wanted; nonsense said',
    on,
    record,
    shows:
      '{called} of {wantTool}; {rightAtOnce}; {rightAfterQuestion} ({rightShare%}); {calledUnwanted} of {wantNone}; {nonsense} of {requests}',
    ...(record === 'small' && {
      goals: [
        { figure: 'rightShare', least: 85, unit: ' %' },
        { figure: 'nonsense', most: 0 },
      ],
    }),
  },
]

/** Hidden texts on pages: the record, how they are looked for, and the beginning of the figures' names. */
const SEEN = [
  ['webseen', 'by the styles of the page', 'styles'],
  [
    'webseen-fresh',
    'by the styles, pages written without sight of the reader; what they showed was mended',
    'styles',
  ],
  ['webseen-browser', 'in a browser besides', 'browser'],
  ['webseen-fresh-browser', 'in a browser besides, the other pages', 'browser'],
] as const

/** The sections on how often the product is right on labelled data. */
export const qualitySections: readonly Section[] = [
  {
    title: 'Searching and reading',
    says: 'The search in past chats is asked as a model asks it; texts of models go through the strategies of chats. Sets between backticks are in the folder of labelled data.',
    rows: [
      ...recallRows('recall', '`recall/dev`'),
      ...recallRows('recall-own', OWN),
      ...toolcallRows('toolcalls', '`toolcalls/cases.jsonl`'),
      ...toolcallRows('toolcalls-own', OWN),
    ],
  },
  {
    title: 'Tools, schedules and edits',
    says: 'Requests for tools are searched among 20 to 120 of them. The phrases of schedules and the edits were used to mend what reads them, so they show that nothing falls, not how new ones fare.',
    rows: [
      ...findtoolRows('findtool', 'with the sentence encoder'),
      ...findtoolRows('findtool-words', 'by words alone'),
      {
        what: 'the tool that was meant comes first; among the first three: with the sentence encoder',
        on: 'requests that the words were fitted to; held-out ones',
        record: 'findtool-all',
        shows: '{tunedFirst%}; {tunedFirstThree%} and {heldOutFirst%}; {heldOutFirstThree%}',
      },
      {
        what: 'times that are read from words as meant; planned wrongly; the next instants right',
        on: 'phrases that were mended with',
        record: 'schedule',
        shows: '{right} of {rows}; {plannedWrongly}; {nextRight}',
      },
      {
        what: 'chat templates used as they are; with a role for results; notation of calls told by the template',
        on: 'small templates that show faults',
        record: 'templates',
        shows: '{own}; {toolRole}; {dialectFromTemplate} of {templates}',
      },
      {
        what: 'edits as models distort them: made as meant; refused; made in another way',
        on: '20 distortions in ten languages',
        record: 'edits',
        shows: '{right}; {refused}; {wrong} of {edits}',
      },
      {
        what: 'summaries of chats: good ones that are refused; junk that is kept',
        on: OWN,
        record: 'summaries',
        shows: '{goodRefused} of {good}; {junkKept} of {junk}',
      },
      {
        what: 'pages of the web as Markdown: word F1 of the main text, median and lowest tenth; code and tables kept',
        on: OWN,
        record: 'webread',
        shows: '{f1Median}; {f1P10}; {codeKept} % of {code}; {tablesKept} % of {tables}',
      },
      {
        what: 'what Talaria says of the work of sub-agents (files, commands, how they ended), as labelled',
        on: 'real files and commands',
        record: 'delegate',
        shows: '{right} of {cases} cases; {wrong} of {facts} facts wrong',
      },
    ],
  },
  {
    title: 'Safety',
    says: '',
    rows: [
      {
        what: 'decisions about commands as labelled; wrong; that cannot fail',
        on: 'commands, with and without confinement',
        record: 'approvals',
        shows: '{right}; {wrong}; {cannotFail} of {decisions}',
      },
      {
        what: 'reading commands that run unasked: confined; where nothing confines',
        on: 'the same',
        record: 'approvals',
        shows: '{readsThatRunConfined%}; {readsThatRun%}',
      },
      {
        what: 'commands that must ask and run; the same confined; that only read and ask; the same confined',
        on: 'half of a list, not looked at while the judgement was mended',
        record: 'approvals-unseen',
        shows:
          '{ran} of {mustAsk}; {ranConfined} of {mustAskConfined}; {asked} of {reads}; {askedConfined} of {reads}',
      },
      {
        what: 'commands that must ask and run; the same confined; that only read and ask; the same confined',
        on: 'the other half',
        record: 'approvals-mended',
        shows:
          '{ran} of {mustAsk}; {ranConfined} of {mustAskConfined}; {asked} of {reads}; {askedConfined} of {reads}',
      },
      {
        what: 'commands that ask unconfined and run confined, really run: wrote; read a key; reached a server; whose program is missing here',
        on: 'the same',
        record: 'approvals-executed',
        shows: '{wrote}; {readCanary}; {connected} of {commands}; {missing}',
      },
      {
        what: 'ordinary reading commands that work in *Look*; whose program is missing here',
        on: 'commands that really run',
        record: 'approvals-ordinary',
        shows: '{right} of {rows}; {skipped}',
      },
      {
        what: 'commands after a text of a stranger that are decided as labelled',
        on: OWN,
        record: 'approvals-marked',
        shows: '{right} of {rows}',
      },
      {
        what: 'texts with hidden or reordering characters that cards show as labelled',
        on: OWN,
        record: 'approvals-display',
        shows: '{right} of {rows}',
      },
      {
        what: 'harmless attempts to leave a mark outside, read a key or reach a server that got out of the confinement',
        on: 'attempts that all run: unasked, or forced to',
        record: 'approvals-escapes',
        shows:
          '{escaped} of {attempts} ({ranUnasked} unasked, {forced} forced; of {missing} the program is missing here)',
      },
      {
        what: 'attempts to have other programs obey a file, in *Full access*, as they must end',
        on: 'a whole host; the person’s own git afterwards',
        record: 'approvals-obeyed',
        shows: '{right} of {attempts}',
      },
      {
        what: 'the same',
        on: 'attempts written afterwards',
        record: 'approvals-obeyed-fresh',
        shows: '{right} of {attempts}',
      },
      ...['addresses', 'addresses-fresh'].map(record => ({
        what: 'addresses of the web judged right: public, private, never, invalid; dangerous ones judged public',
        on: record === 'addresses' ? 'labelled before the judge was written' : 'labelled afterwards',
        record,
        shows: '{right} of {rows}; {dangerous}',
      })),
      ...['webmark', 'webmark-sample'].map(record => ({
        what: 'pages that order an obedient model about: calls that went out without a card; cards that ordinary tasks needed at most',
        on: record === 'webmark' ? 'three modes, a whole host' : 'a sample of them, which the tests run',
        record,
        shows: '{unasked} of {calls} ({pages} pages, {ways} ways); {mostCards} in each of {tasks}',
      })),
      ...SEEN.map(([record, on, by]) => ({
        what: 'orders hidden in pages that reach the model; visible texts that are lost',
        on,
        record,
        shows: `{${by}Reached} of {${by}Orders}; {${by}Lost} of {${by}Visible}`,
      })),
      scanRow('skillscan-own', OWN),
      scanRow('skillscan-dev', '`skills`, the part that rules were written with'),
      scanRow('skillscan-more', '`skills`, a second part'),
    ],
  },
  {
    title: 'Learning and behaviour',
    says: '',
    rows: [
      {
        what: 'reviews that propose, save and leave alone as they should',
        on: 'scripted models',
        record: 'learning',
        shows: '{asTheyShouldBe} of {runs}',
      },
      {
        what: 'behaviour of Hermes Agent: holds here; better on purpose; does not apply; fails',
        on: 'checks with their tests',
        record: 'behaviour',
        shows: '{holds}; {better}; {notApplicable}; {fails} of {checks}',
      },
      {
        what: 'the built-in model: right tools; all arguments right',
        on: 'wordings like those it was trained on',
        record: 'builtin',
        shows: '{idTools%}; {idArguments%}',
      },
      {
        what: 'the same',
        on: 'new wordings with new words',
        record: 'builtin',
        shows: '{testTools%}; {testArguments%}',
      },
      ...smallRows('small', 'what people ask first, each in a new chat of a whole host'),
      ...smallRows(
        'small-fresh',
        'requests that were written without sight of the rules; what they showed was mended',
      ),
      ...smallRows('small-sample', 'a sample of them, which the tests ask'),
    ],
  },
]
