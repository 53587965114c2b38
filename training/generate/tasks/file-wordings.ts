import { wordings } from '../wording.ts'

export const listHere = wordings(`
  ! (list|show|show me) (the |my |all |all the |)files( here|)
  (what|which) files (are here|are there|do i have|do we have|are in this folder|are in the folder)?
  (what is|what's) in (this|the|my|the current|the working) (folder|directory)?
  ! (list|show) (this|the|the current) (folder|directory)
  what (is|do we have|do i have) here?
  (what|which) (files|documents) (can you see|do you see|are available)?
  ! (list|show) (what's here|what is here|the contents|the contents of this folder)
  (have a|take a) look (at|into) (this|the) folder
  ! (see|check|look) what files there are
  ! (give me|make) a list of (the|my|all) files
  files?
  ---
  ! (enumerate|display) (the|all) (files|documents)
  (what have we got|what's lying around) (here|in this folder)?
  (let me see|i want to see) (my files|what is in here|the files)
  (which|what) documents (exist|lie here)?
  an overview of (this|the) folder`)

export const listFolder = wordings(`
  ! (list|show|show me) (the files in|what is in|what's in|the contents of|the folder|) {folder}
  (what|which) files are (in|inside) (the folder |)({folder}|{folder})?
  (what is|what's) (in|inside) (the |)({folder}|{folder} folder|{folder} directory)?
  ! (list|show) (the |)({folder}) (folder|directory)
  (can you |could you |please |)(look|have a look|take a look) (into|in|at) (the folder |)({folder})
  (what do i have|what do we have|what is there) in {folder}?
  ! (give me|make) a list of the files in {folder}
  ! (open|browse|check) the ({folder} folder|folder {folder})
  ! (see|tell me) what is in {folder}
  ---
  ! (enumerate|display) (the files of|the contents of) {folder}
  {folder}: (what's in there|which files are there)?
  (let me see|i want to see) (the folder {folder}|what {folder} holds)
  (what|which) documents (does {folder} hold|lie in {folder})?`)

/** Folders that everybody has, as they are called and where they are. */
export const homeFolders: readonly (readonly [called: string, path: string])[] = [
  ['documents', '~/Documents'],
  ['downloads', '~/Downloads'],
  ['desktop', '~/Desktop'],
  ['pictures', '~/Pictures'],
  ['music', '~/Music'],
  ['videos', '~/Videos'],
  ['home', '~'],
]

export const listHome = wordings(`
  ! (list|show|show me|check|open|look into) my {called} folder
  ! (list|show|show me) the files in my {called} folder
  (what|which) files are in my {called} folder?
  (what is|what's) in my {called} folder?
  (what do i have|what is there) in my {called} folder?
  ---
  ! (enumerate|inspect) (my {called} folder|the folder of my {called})
  (which|what) documents lie in my {called} folder?
  my {called} folder, what does it hold?`)

export const countFiles = wordings(`
  how many (files|entries|things|documents) (are here|are there|are in this folder|do i have|do we have)?
  ! (count|number) (the|my|all) files( here|)
  (what is|what's) the number of files( here|)?
  ! tell me how many files (there are|are here)
  ---
  ! (report|determine) (the file count|how many files lie here)
  (give me|i need) (the|a) (file count|number of files)
  the (count|amount) of files in this folder?`)

export const read = wordings(`
  ! (read|open|show|show me|display|print) {path}
  ! (read|open|show|show me) (the file|my file|file|me the file) {path}
  (what is|what's) (in|inside|written in) {path}?
  what does {path} (say|contain|hold)?
  ! (read|open|show me|look at|look into|check) {path}
  ! (tell me|show me) (what is in|what's in|what {path} says|the contents of) {path}
  ! (give me|show me|tell me) the (contents|content|text) of {path}
  ! (read|show) (me |)(the |)(contents|content|text) of {path}
  (i want to|i'd like to|let me|i need to) (see|read) {path}
  (have a|take a) look (at|into) {path}
  ! (read out|read aloud|go through) {path}
  {path}, (read it|show it to me|what does it say?|open it)
  ! (view|see) {path}
  ---
  ! (fetch|pull up|bring up) {path}
  (what stands|what have i written) in {path}?
  (i'm curious what's in|i wonder about) {path}
  ! (recite|present) {path}
  {path} (says what|holds what)?
  the (contents|text) of {path}`)

export const firstLine = wordings(`
  (what is|what's) the (first line|title|heading|top line) (of|in) {path}?
  ! (read|show|show me|tell me|give me) (only |just |)the (first line|top line|title) of {path}
  how does {path} (begin|start)?
  (with what|what) does {path} (begin with|start with)?
  ! (print|get) the first line (of|from) {path}
  ---
  ! (quote|fetch) the opening line of {path}
  (which|what) line opens {path}?
  (only|just) the opening line of {path}
  line 1 of {path}`)

export const lookUp = wordings(`
  (what is|what's) the {key} (in|according to) {path}?
  (which|what) {key} (is in|stands in|does) {path}?
  ! (look up|find|get|check|tell me) the {key} in {path}
  ! (read|open|check|look in) {path} and (tell me|give me|say) the {key}
  (what does {path} say about|what does {path} have as) the {key}?
  (according to|in) {path}, (what is|what's) the {key}?
  (i need|give me|tell me) the {key} (from|in) {path}
  ! (find|look up|get) the {key} (from|in) {path}
  ---
  ! (extract|dig out) the {key} from {path}
  {path} (has|holds) the {key}, what is it?
  the {key}, as {path} has it
  ! (consult|see) {path} for the {key}`)

export const write = wordings(`
  ! (create|make|write|add|start) (a file|a new file|the file|file) (called |named |){path} (with|containing|saying|that says|with the text|with the content|with the line) {content}
  ! (write|put|save|store) {content} (to|into|in) (the file |a file called |a new file |){path}
  ! (create|make|write) {path} (with|with the text|with the content|containing|that says): {content}
  ! (create|make|write|save) {path}: {content}
  ! (write|save|create) {path} (with|with the text|containing|saying) {content}
  (i need|i want|i'd like) a (file|note) (called |named |){path} (with|that says|saying|containing) {content}
  new file {path}(: | with | saying ){content}
  {path} should (say|contain|hold) {content}
  ! (open|start) a new file {path} and (write|put) {content}( in it|)
  ! (make a note|leave a note|take a note) in {path}: {content}
  ---
  ! (produce|set up|generate) (a file|a note) {path} (holding|reading) {content}
  ! (jot|type) {content} (into|in) {path}
  ! (fill|overwrite) {path} with {content}
  the text {content} (goes into|belongs in) {path}
  let {path} (read|be): {content}`)

export const writeList = wordings(`
  ! (create|make|write|start) (a list|a shopping list|a todo list|a checklist|a packing list) (in|called|named) {path} with {items}
  ! (put|write|save) {items} (as a list|in a list) (in|into|to) {path}
  ! (list|write down|note down) {items} in {path}
  ! (make|create|write) {path} with a list of {items}
  (i need|i want) a list (in|called) {path} with {items}
  ! (make|create|write) {path} as a list: {items}
  ! (make|write|create) a list {path} (of|with) {items}
  ! (save|store) a list (of|with) {items} (to|in|as) {path}
  ---
  ! (collect|gather) {items} as a list in {path}
  a list (of|with) {items}, (saved as|called) {path}
  ! (itemise|itemize) {items} in {path}`)

export const emptyFile = wordings(`
  ! (create|make|add|start) (an empty file|a blank file|an empty document) (called |named |){path}
  ! (create|make) {path}, (empty|leave it empty|without anything in it|nothing in it)
  (i need|i want|i'd like) an empty (file|document) (called |named |){path}
  (new|a new) empty file {path}
  ! (create|make) an empty {path}
  ---
  ! (set up|produce) a blank {path}
  {path} as an empty file
  a file {path} with nothing in it`)

export const patch = wordings(`
  (in {path}|in the file {path}) (change|replace|correct|swap) {old} (to|with|by|for) {now}
  ! (change|replace|swap|correct) {old} (to|with|by|for|into) {now} in {path}
  ! (change|replace) {old} (to|with) {now} in {path}
  ! (edit|update|fix) {path}: {old} (should be|becomes|is now|to) {now}
  ! (edit|update|change) {path} so that {old} (is|becomes|says) {now}
  {old} in {path} (should be|must be|has to be) {now}
  (in {path}) {old} (should|has to|must) (be|become|say) {now}
  ! (put|write|use) {now} (instead of|in place of) {old} in {path}
  ! (find|take) {old} in {path} and (replace it with|make it|change it to) {now}
  ---
  ! (turn|convert) {old} into {now} in {path}
  {path}: {now} (for|rather than) {old}
  ! (substitute|exchange) {old} (with|for) {now} in {path}
  ! (amend|alter) {path}, {old} (turns into|is to be) {now}`)

export const append = wordings(`
  ! (add|append|put) {content} to {path}
  ! (add|append) (a line|the line|a new line) to {path}: {content}
  (at the end of|below everything in) {path} (add|write|put) {content}
  ! (add|append|write) {content} (at|to) the end of {path}
  ! (add|append) {content} to {path}
  ! (put|write) another line (in|into) {path}: {content}
  ! (extend|continue) {path} with {content}
  ---
  ! (tack|stick) {content} onto {path}
  {path} needs (another|one more) line: {content}
  one more line for {path}: {content}`)

export const search = wordings(`
  ! (search|look|grep) (for {word}|for the word {word}) (in|through) (my|the|all|all my|these) files
  ! (find|search for|look for|grep) {word} (in (my|the|all) files|here|in this folder)
  (which|what) (file|files|document) (mentions|mention|contains|contain|has|talks about) {word}?
  where (is {word} mentioned|does it say {word}|do i mention {word}|did i write {word}|does {word} appear)?
  ! (search|scan|grep) (the files|my files|everything|this folder) for {word}
  (is there|do i have) (a file|anything|something) (about|with|that mentions) {word}?
  ! (search|look|find) (for |){word} in (my|the) files
  (in which|in what) (file|document) (is|do i find|did i write about) {word}?
  ! (find|show me) (every|each|all) (line|file|mention) (with|of|that has) {word}
  (i'm looking for|i need|i search) the file (about|with|that mentions) {word}
  does any (file|document) (mention|contain|say) {word}?
  ---
  ! (hunt|go) through (my|the) files for {word}
  ! (locate|track down) {word} (in|among) (my|the) (files|documents)
  {word}: (which file|where in my files)?
  (any|are there) occurrences of {word}( in my files|)?
  my files, do they mention {word}?`)

export const searchFolder = wordings(`
  ! (search|look) for {word} in (the folder |){folder}
  ! (find|search|grep) {word} (in|inside) (the folder |the files in |){folder}
  (which|what) files in {folder} (mention|contain|have) {word}?
  ! (search|scan|grep) {folder} for {word}
  where in {folder} (is {word} mentioned|do i mention {word}|does it say {word})?
  ! (look|search) through {folder} for {word}
  ---
  ! (hunt|go) through {folder} for {word}
  ! (locate|track down) {word} (in|within) {folder}
  {folder}: any {word} in there?`)

export const searchKind = wordings(`
  ! (search|look) for {word} in (the |all |my |){extension} files
  ! (find|search|grep) {word} in (the |all |my |)({extension}|.{extension}|*.{extension}) files
  (which|what) {extension} files (mention|contain|have) {word}?
  ! (search|scan|grep) (the|all|my) {extension} files for {word}
  (only in|in) {extension} files, (find|search for|look for) {word}
  ---
  ! (hunt|go) through the {extension} files for {word}
  ! (locate|track down) {word} among the {extension} files
  {extension} files with {word}`)
