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
  ! (run through|name|spell out|output|dump) (the|all the|all my|every one of the) (files|file names|documents)( here| in this folder|)
  (which|what) (stuff|things|items|papers|file names) (is|are) (in here|around here|stored here|saved here|kept here|sitting here)?
  (i need|i'd like|i want|we need|gimme) (a|the) (file list|list of files|directory listing|list of what is here)( please| now|)
  (file list|directory listing|folder contents|all files|files here|list files|ls please|dir)( please| now|)
  (can't|can not|cannot) (remember|recall) what (files|documents) (i have|are here|i put here|i saved here)
  (would love to|would like to|got to|need to|have to) (know|see) (what files|which files|what stuff) (there are|i have|is here) (here|in this folder|)
  (mind showing|mind listing|how about listing|care to list) (me |)(the|my|all the) files( here| in this folder|)?
  (what|which) (all |)is (stored|saved|kept|inside|to be found) (here|in this folder|in this directory|in my folder|in the workspace)?
  (this folder|the current folder|my folder|my workspace|the workspace): (what is in it|what's inside|what does it contain|list it)
  (tell|show) me (everything|all|all things|whatever) (that is |)(here|in this folder|in here|inside this folder|in my workspace)
  ! (look around|look round|peek inside|take stock|see what we have) (here|in this folder|in the workspace)
  are there (any|some) (files|documents)( at all|) (here|in this folder|in this place)?
  (by name|one by one|in short), (which|what) files are (here|in this folder|in the folder)?
  (the|my) files, (please|what are they|show them|list them|which ones are there)
  i (don't know|have no idea|am not sure|forgot) (which|what) files (are here|i have here|there are)( any more|). (list them|show me)(, please|)
  what (kind of |sort of |)(files|documents) (can be found|could be found|did i put|did i leave|do we have) (here|in this folder)?
  (where are|what are) (all |)(my|the|our) (files|documents)( called| named|)?
  (so, |)what (do i|do we|does one) (find|keep|store) in (here|this folder|this directory|the workspace)?
  (give me|get me|print me|write me) (the names of |)(all |the |)(files|documents|folders and files)( here| in this folder|)
  (inventory|listing|contents)( of this folder| of the folder| of my folder| of this directory|)( please|)
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
  ! (peek|glance|look round|dive) (into|inside) (the folder |){folder}
  ! (print|output|dump|name|get) (the contents of|the file names in|everything in|all files in|whatever is in) {folder}
  (i need|i'd like|i want|we need|gimme) (a|the) (file list|listing|list of files|contents) (of|for|from) (the folder |){folder}
  (file list|directory listing|listing|contents|files) (of|for|in) {folder}( please| now|)
  (would love to|would like to|got to|need to|have to) (know|see) (what is|what's|which files are) (in|inside) {folder}
  (mind listing|mind checking|mind opening|care to list|how about listing) (the folder |){folder}( for me|)?
  (what|which) (stuff|things|items|files|papers) (is|are|did i put|did i leave|do i keep|are kept|are stored) in {folder}?
  {folder} (folder|directory): (list it|show it|contents|what is inside|what does it contain)
  (does|did) {folder} (have|contain) (any |some |)(files|documents|entries)( at all|)?
  is (there |)(anything|something|any file) (in|inside) (the folder |){folder}? (list it|show me|which)
  i (forgot|don't know|have no idea|am not sure) (what is|what's|what i put|which files are) in {folder}( any more|)
  (go|step|change) (into|to) {folder} and (list|show me|tell me) (the files|what is there|what you find)
  (what|what all) (can be found|is to be found|is stored|is saved|is kept|is hidden) (in|inside) {folder}?
  (the|my) {folder} (folder|directory), (what's in it|what is there|please list it|which files)?
  ls {folder}
  dir {folder}
  (everything|all files|all the files|all that is) (in|inside|under|from) (the folder |){folder}( please|)
  (about|as for|regarding) the folder {folder}: (which|what) files (are there|does it have|has it)?
  (tell|show) me (everything|all|all things|whatever) (that is |you find |)(in|inside|under) {folder}
  {folder} (contains|has) (which|what) files?
  inside {folder}(, | )(what is there|which files are there|what do you see)?
  ! (run through|read off) the (names|file names) (in|of) (the folder |){folder}
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
  ! (peek|glance|look) (into|inside) my {called} folder
  (what|which) (stuff|things|items|papers|files) (is|are|did i put|did i leave|do i keep|are stored) in my {called} folder?
  (i need|i'd like|i want|gimme) (a|the) (file list|listing|list of files|contents) of my {called} folder
  (mind listing|mind checking|mind opening|care to list|how about listing) my {called} folder( for me|)?
  (would love to|would like to|got to|need to) (know|see) (what is|what's|which files are) in my {called} folder
  (listing|contents|files|file list) (of|in) my {called} folder( please| now|)
  is (there |)(anything|something|any file) (in|inside) my {called} folder?
  (the|my) {called} folder: (list it|show it|contents|what is inside|what does it contain)
  i (forgot|don't know|have no idea) (what is|what's|what i put) in my {called} folder
  (everything|all files|all the files) (in|inside) my {called} folder( please|)
  ! (print|output|name|get) (the contents of|the file names in|everything in) my {called} folder
  (go|step|change) (into|to) my {called} folder and (list|show me|tell me) (the files|what is there)
  ---
  ! (enumerate|inspect) (my {called} folder|the folder of my {called})
  (which|what) documents lie in my {called} folder?
  my {called} folder, what does it hold?`)

export const countFiles = wordings(`
  how many (files|entries|things|documents) (are here|are there|are in this folder|do i have|do we have)?
  ! (count|number) (the|my|all) files( here|)
  (what is|what's) the number of files( here|)?
  ! tell me how many files (there are|are here)
  ! (add up|tally|total) (the|my|all my|all the) (files|documents)( here| in this folder|)
  (i need|i'd like to have|i want|gimme) (the total|the tally|a count) of (the |my |all |)files( here| in this folder|)
  (would like to|got to|need to|have to|want to) know how many (files|documents) (there are|i have|are here)
  how many (are|is) (here|there|in here)( in total| altogether|), (i mean files|the files|of the files)?
  (file count|number of files|total of files|how many files|files in total)( please| here|)?
  (how much|how big a number of|what number of) (files|documents) (is here|do i have|are here|are in this folder)?
  (mind counting|care to count|how about counting) (the|my|all) files( here|)?
  (how many|how much) (different |separate |)(files|documents) (does this folder|does my folder|does this directory) (have|contain|hold)?
  (are there|do i have) (many|a lot of|only a few) files (here|in this folder)? how many?
  (this folder|my folder|the workspace) (has|holds|contains) how many files?
  (by number|in numbers), (what|how many) files (do i have|are there|are here)?
  (total|in total|all in all|altogether)( there are|), how many (files|documents|entries)( are here| are there|)?
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
  ! (show|read) me (what i put in|what i noted in|all of|everything in|the whole of|the text inside) {path}
  ! (dump|output|spit out|load|get|peek into|peek inside|glance at) {path}
  (i need|i'd like|i want|we need|gimme|got to have) (the contents of|what is in|to know what is in|the text of|everything in) {path}
  (would love to|would like to|got to|need to|have to|must) (read|see|look at|check|know what's in) {path}
  (mind reading|mind opening|mind showing me|care to read|how about reading|how about opening) {path}( for me|)?
  {path} (contains|has) what( exactly|)?
  {path}: (read|open|show|contents|text|what's inside|what is in there)( please|)
  (can't|cannot|can not) (remember|recall) what (is in {path}|i wrote in {path}|i put in {path}|{path} says)
  cat {path}
  i (forgot|don't know|have no idea|am not sure) (what is|what's|what i put) in {path}( any more|)
  what did i (write|put|note|save|store|jot down) (in|into) {path}?
  (what text|what stuff|what words|what lines|which words|which text) (is|are) (in|inside) {path}?
  what (is|was) (written|noted|stored|saved|kept) in (the file |my file |){path}( again|)?
  (is|was) (there |)(anything|something) (in|inside|written in) {path}? (read it|show me|what)
  (tell|give) me (everything|all|all that is|the lot|whatever is) (in|inside|from) {path}
  (the|my) (file|note|document) {path}, (please|what does it say|can you read it|open it)?
  (what can i|what could i|what do i|what do we|what will i) (read|find|see|get) in {path}?
  (contents|content|text|body) (of|from|in) (the file |){path}( please| now|)?
  ! (have|get|make) {path} (shown|printed|read out|read)( to me|)
  (open|go to|go into) {path} and (read it|show me|tell me what it says|tell me what is in it|read it to me)
  i (can't|cannot|could not) open {path}(, what's in it|, read it for me|. what does it say)?
  (about|as for|regarding) {path}: (what does it say|what is in it|read it to me)
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
  ! (print|read|show me|copy out|pick out) the (very first|topmost|initial|uppermost|starting) (line|words|sentence) (of|in|from) {path}
  (i need|i'd like|i want|gimme|we need) (only |just |)the (first|top|starting) line (of|from) {path}
  (would like to|got to|need to|want to) (know|see) (the first line of|how|the title of) {path}( starts| begins|)
  {path}: (first line|top line|the first line only|just the first line|heading|title)( please|)?
  (what is|what's) (at the top|at the start|at the beginning|at the head|on the first line) of {path}?
  (what does|how does) the (first|top|very first) line (of|in) {path} (say|read|go)?
  (only|just) the (first|top) line (of|from) {path}( please|, not the rest|, no more|)
  (first line|top line|title|heading) (of|from|in) {path}( please|)?
  head -1 {path}
  (mind reading|mind showing|care to show) me the (first|top) line of {path}?
  (how|with what line|with which line|with which words) does the file {path} (start|begin|open up)?
  {path} (starts|begins) (how|with what|with which line)?
  (not everything|not the whole file), (just|only) the (first|top) line of {path}
  what did i (write|put) (at the top|on the first line|first|at the very top) (of|in) {path}?
  (under what|what|which) (title|heading|headline) (does {path} have|is on {path}|has {path}|is in {path})?
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
  ! (pick out|pull|grab|read off|take|spot|seek|fish out) the {key} (from|out of|in) {path}
  (would like to|got to|need to|have to|want to) know the {key} (from|in|that is in) {path}
  {path}: (the |){key}( please|)?
  (i need|i'd like|i want|we need|gimme) the {key}, (it's|it is|it should be|it must be) in {path}
  (can't|cannot|can not) remember the {key}, (it's|it is) in {path}
  what (is|was) (written|noted|stored|saved|given|listed) (as|for|under) (the |){key} in {path}?
  which (value|entry|number or name) does {path} (have|give|list|hold) for (the |){key}?
  (what is|what's) the value of (the |){key} in {path}?
  {key} (in|from|according to) {path}( please|)?
  (mind looking up|mind checking|care to check|how about checking) the {key} in {path}?
  (open|go to|look into|look inside) {path} and (find|get me|read me|tell me) the {key}
  {path} (knows|lists|mentions|gives) the {key}(, what is it|. which one is it|, tell me)?
  (as|like|just as) (it says|written|noted|given) in {path}, (what is|what's) the {key}?
  the {key}? (it's|it is|look|should be) in {path}
  i (forgot|don't know|have no idea about|am not sure about) the {key}, (look|check|look it up) in {path}
  what did i (write|put|note|save) (down |)(for|as|under) the {key} in {path}?
  (from|out of|in) {path} i (need|want|would like|am after) (only |just |)the {key}
  (is|was) the {key} in {path}? (what is it|tell me|which)
  what {key} (did i put in|do i have in|is given in|is noted in|is set in|is listed in) {path}?
  ---
  ! (extract|dig out) the {key} from {path}
  {path} (has|holds) the {key}, what is it?
  the {key}, as {path} has it
  ! (consult|see) {path} for the {key}`)

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
  ! (check|comb|sift|skim|trawl|sweep) (the|my|all my|all the|these|our) (files|documents|notes here) for {word}
  ! (see|find out|check|tell me) (which|what|whether any) (file|files|document|documents) (mentions|has|contains|speaks of|names) {word}
  (i need|i'd like|i want|we need|gimme) (the|every|each|any) (file|line|document|place) (that has|that mentions|with|containing) {word}
  (would like to|got to|need to|have to|want to) (find|see) (where|in which file) (i wrote about|i mentioned|it says|there is) {word}
  (can't|cannot|can not) (find|remember) (where|in which file) (i wrote|i noted|i put|i mentioned|it says) {word}
  (mind searching|mind checking|care to search|how about searching) (the|my|all) files for {word}?
  (which|what|in which) (file|document|line) (was|is|did i put|did i note|did i have) {word}( in|) again?
  (find|search|look for|grep|spot|seek) {word}( in the files| in my files| in all files| in every file|)
  grep (-r |-rn |-i |){word}
  (has|have) (any|one) of (my|the|these) files (got |)(a mention of|something about|something on|the word) {word}?
  (is|was) {word} (written|noted|found|named|used|in there) (anywhere|somewhere) in (my|the|these) (files|documents)?
  (all|any|every) (mentions|mention|places|lines|hits|matches) (of|for|with|on) {word}( in my files| in the files| in this folder|)( please|)
  (somewhere|in some file|in one of my files) (i wrote|i noted|there is something|there was something|it says something) about {word}(, where|, find it|, which file)
  (files|documents|lines) (with|about|containing|that mention|mentioning) {word}( please|)?
  (who|what file|which of my files|which of the files|which of these files) (has|holds|contains|talks of|speaks of|is about) {word}?
  (do|does) (my|the|our) (files|documents) (say|contain|have) (anything|something) (about|on|regarding) {word}?
  (where|in what place|in which line|in which document) (can i find|do i find|can i read about|do i read about|is something about) {word}?
  (go over|run through|look over|check) (everything|all files|all my files|each file|every file) (and find|and look for|to find) {word}
  file search(: | for ){word}
  (text|full-text|word) search (for|of) {word}( in my files| here|)
  {word}(, find it in my files| is in one of my files, which one|, search my files for it)
  find me (whatever|anything|everything|all|something) (in my files |in the files |)(about|on|with|that mentions|that says) {word}
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
  ! (check|comb|sift|skim|trawl|sweep) (the folder |the files in |){folder} for {word}
  ! (see|find out|check|tell me) (which|what) (file|files) in {folder} (mentions|mention|has|have|contains) {word}
  (i need|i'd like|i want|gimme) (the|every|each|any) (file|line|place) in {folder} (that has|that mentions|with) {word}
  (mind searching|mind checking|care to search|how about searching) {folder} for {word}?
  (can't|cannot|can not) (find|remember) where in {folder} (i wrote|i put|i mentioned|it says) {word}
  (is|was) {word} (written|noted|found|mentioned|used|named) (anywhere|somewhere|in any file) in {folder}?
  (do|does) (any of |)the files in {folder} (say|contain|mention) (anything about |something about |){word}?
  (only |just |)in {folder}(, |: )(search|find|look|grep) (for |){word}
  (all|any|every) (mentions|places|lines|hits|matches) (of|for|with) {word} in {folder}( please|)
  (files|lines|documents) in {folder} (with|about|containing|that mention) {word}( please|)?
  grep -r {word} {folder}
  (somewhere|in some file) in {folder} (i wrote|there is something|it says something) about {word}(, where|, find it|, which file)
  (would like to|got to|need to|have to|want to) (find|see) where {folder} (mentions|has|says) {word}
  (which|what) (file|document|line) (in|inside|under) {folder} (is about|talks about|speaks of|has|says) {word}?
  is there (anything|something|a file|a line) (in|inside|under) {folder} (about|on|with|that says) {word}?
  (go into|open|look into) {folder} and (find|search for|look for|grep) {word}
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
  ! (check|comb|sift|skim|trawl|sweep) (the|all|my|all my) {extension} files for {word}
  ! (see|find out|check|tell me) (which|what) {extension} (file|files) (mentions|mention|has|have|contains) {word}
  (i need|i'd like|i want|gimme) (the|every|each|any) {extension} file (that has|that mentions|with|about) {word}
  (mind searching|mind checking|care to search|how about searching) (the|my|all) {extension} files for {word}?
  (can't|cannot|can not) (find|remember) (in which|which) {extension} file (i wrote|i put|i mentioned|has) {word}
  (is|was) {word} (written|noted|found|mentioned|used) (anywhere |somewhere |)in (a|any|one of the|some) {extension} (file|files)?
  (do|does) (any of |)(my|the) {extension} files (say|contain|mention) {word}?
  (only |just |)(files ending in|files that end with|files of kind|files of type) (.|){extension}(: | ,|, )(find|search for|look for|grep) {word}
  (all|any|every) (mentions|places|lines|hits|matches) (of|for) {word} in (the |my |){extension} files( please|)
  where in (my|the|all|these) {extension} files (is {word}|do i mention {word}|does it say {word}|can i find {word})?
  (which|what) (of my |of the |){extension} (files|file|documents) (is about|are about|talks about|has|says) {word}?
  is there (a|an|any|some) {extension} file (about|on|with|that mentions|that says) {word}?
  grep {word} *.{extension}
  (would like to|got to|need to|want to) (find|see) (which|what) {extension} files (mention|have|contain) {word}
  ---
  ! (hunt|go) through the {extension} files for {word}
  ! (locate|track down) {word} among the {extension} files
  {extension} files with {word}`)
