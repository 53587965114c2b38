import { wordings } from '../wording.ts'

export const deleteIt = wordings(`
  ! (delete|remove|erase|trash) (it|that|that file|the file|this file)( now| again|)
  ! (delete|remove|get rid of) (it|that|that file|this)
  (i don't need|i no longer need) (it|that)( any more| anymore|), (delete it|remove it)
  (throw|toss) it (away|out)
  (it|that) can (go|be deleted)
  ! (discard|destroy|clear away|zap|ditch|eliminate) (it|that|this file|that file|the file)( please| now|)
  ! (toss|chuck|put) (it|that|this|that file) (in the bin|in the trash|into the trash)
  (i need|i want|i'd like|we need) (it|that|that file|this file) (gone|deleted|removed|erased|out of here)
  (mind deleting|mind removing|care to delete|how about deleting) (it|that|that file|this one)?
  (it|that|this|that file|this file) (is|was) (useless|outdated|obsolete|rubbish|superfluous|no longer needed|too old)(, delete it|, remove it| so delete it|)
  (it|that|that file|this file) (needs to be|has to be|must be|should be|is to be) (deleted|removed|erased|trashed|gone)( now|)
  (away with|be rid of|get rid of|done with|no need for) (it|that|that file|this file)( now|)
  (delete|remove|erase|trash)( please| now| then|)
  (nobody|no one|i don't|we don't) (needs|need|use|want) (it|that|this|that file) (any more|anymore|now)(, delete it|, remove it|)
  (would like|got|need|want) to (delete|remove|erase|get rid of) (it|that|that file|this file)
  (it's|it is) time to (delete|remove|get rid of) (it|that|that file)
  rm (it|that|this)
  (good|fine|thanks|ok)(, | and )(now |)(delete|remove|erase) (it|that|this|that file)
  this (one |file |)(can be removed|can be erased|has to go|must go|should go|is not needed any more)
  ---
  ! (scrap|bin|wipe) (it|that one)
  (make|let) it (disappear|go away)
  off with it`)

export const renameIt = wordings(`
  ! (rename|move) (it|that|that file|the file|this file) to {new}
  ! (rename|move) it to {new}
  ! (call|name) it {new}( instead|)
  ! (change|set) its name to {new}
  ! give it the name {new}
  (it|that file) should be called {new}
  ! (relabel|rechristen|relocate|shift|transfer) (it|that|that file|this file) to {new}
  ! (turn|switch|alter|update) its name (to|into) {new}
  (i need|i want|i'd like|we need) (it|that|that file|this file) (renamed to|to be called|to be named|called|moved to) {new}
  (mind renaming|mind moving|care to rename|how about renaming) (it|that|that file) to {new}?
  (rename|rename to|move to|call it|new name|name it|another name|as name)(: | ){new}
  (it|that|that file|this file|the file) (needs to be|has to be|must be|is to be|shall be) (renamed to|called|named|moved to) {new}
  (it|that|that file|this one) (should have|must have|needs|gets|wants|deserves) (the name|a new name:|the new name) {new}
  (would like|got|need|want) to (rename|move) (it|that|that file) (to|into) {new}
  (from now on|henceforth) (it|that file|this file) (is called|is named|should be called|has the name) {new}
  i (don't like|hate) (its name|that name|the name)(, call it|, make it|, rename it to) {new}
  (better|rather|instead) (call|name) (it|that|this file) {new}
  mv it {new}
  (the name|its file name|the file name) (should be|must be|has to be|ought to be) {new}( instead| from now on|)
  ---
  ! (rebaptise|retitle) (it|the file) {new}
  let it be {new}
  {new} is a better name for it
  its new name is {new}`)

export const copyIt = wordings(`
  ! (copy|duplicate|back up) (it|that|the file|this file) (to|as) {new}
  ! (make|create) a (copy|backup) of (it|that)( called| named| as|) {new}
  ! copy it to {new}
  ! save a copy (of it |)as {new}
  ! (reproduce|mirror|double|photocopy) (it|that|that file|this file) (to|as|into) {new}
  ! (get me|write|take|put|make me|keep) a (copy|backup|duplicate|spare copy) of (it|that|that file|this) (as|in|under|called) {new}
  (i need|i want|i'd like|we need) (a copy|a backup|a duplicate) (of it |of that |)(called|named|as|in|under) {new}
  (i need|i want|i'd like|we need) (it|that|that file) (copied|duplicated|backed up) (to|as|into) {new}
  (mind copying|mind duplicating|care to copy|how about copying) (it|that|that file) (to|as) {new}?
  (copy|copy to|copy as|backup to|backup as|duplicate as|duplicate to|save a copy to)(: | ){new}
  (it|that|that file|this file) (needs to be|has to be|must be|should be) (copied|duplicated|backed up) (to|as|into) {new}
  (would like|got|need|want) to (copy|duplicate|back up) (it|that|that file) (to|as) {new}
  (keep it|leave it) (and|but) (copy it to|make a copy called|put a copy in) {new}
  (for safety|to be safe|just in case)(, | )(copy|back up|duplicate) (it|that) (to|as) {new}
  cp it {new}
  (the same|the same file|the same content) (under the name|with the name|in the file|also as|also in) {new}
  ---
  ! (clone|replicate) it as {new}
  a second one called {new}`)

export const showIt = wordings(`
  ! (read|open|show|show me|print) (it|that|that file|the file)( now| again| to me|)
  what does it say( now|)?
  (what is|what's) in (it|that file|there)( now|)?
  ! (read|show|open) it
  (can i see|let me see|show me) (it|what's inside|its contents)
  ! (output|dump|peek into|look into|look inside|check) (it|that file|this file)( please| now|)
  (i need|i want|i'd like|we need) to (see|read|know) (it|what it says|what is in it|what's in it|its text|that file)
  (mind reading|mind opening|mind showing|care to read|how about reading) (it|that|that file)( to me|)?
  (would love|would like|got|have) to (see|read|know) (it|what it says|what is in it|that file)
  (what|what text|what words) (is|are) (in|inside|written in) (it|that file|this file|that one)( now|)?
  (what does|what did) (that|that file|this file|the file|this) (say|contain|look like|have in it)( now| exactly|)?
  (how does it|how does that file|how does the file) (look|read|go)( now| like this| at the moment|)?
  (show|open|read|cat|print)( please| now| then|)
  cat (it|that file|this)
  (show me|give me|tell me|read me) (its text|what it says|what's in it|what is in there|all of it|everything in it)( now| please|)
  (can|could|may) (i|we) (read|have a look at|look at|take a look at) (it|that|that file|this file)( now|)?
  (and|so|now|ok,) what (does it say|is in it|is in there|does it contain|can be read in it)( now| then|)?
  (good|fine|thanks|ok)(, | and )(now |)(read|open|show me) (it|that|that file)
  i (want|need) its (text|contents|content|words)
  ---
  ! (inspect|reveal) (it|its contents)
  (its|the) (contents|content|text), please
  (what stands|what's written) in there?
  have a look inside`)

export const pickOne = wordings(`
  ! (read|open|show|show me) (the|me the) {which}( one| file| entry|)
  (what is|what's) in the {which}( one| file|)?
  ! (open|read) the {which} (one|file)
  (the {which} one|the {which} file|number {number}), (read it|open it|what does it say?)
  (take|have) a look (at|into) the {which} (one|file)
  what does the {which} (one|file) say?
  ! (print|output|dump|look into|look at|check|give me) the {which} (one|file|of them|of these|in the list)
  (i need|i want|i'd like|we need|i choose|i pick|i take|gimme) the {which} (one|file|of them|of these|entry|in the list)
  (mind reading|mind opening|mind showing me|care to open|how about|what about) the {which} (one|file|of them)?
  (would love|would like|got|have|need|want) to (see|read|open) the {which} (one|file|of them|of these)
  {which}( one| file|)( please| then|)
  (the|that) {which} (one|file|entry|of them|of these|in the list|on the list)( please| then|)
  (take|use|choose|pick|select|try) the {which}( one| file| of them|)
  (now|and|and now|then|let's see|so) the {which} (one|file|of them)( please|)
  (what is|what's) (written |)(in|inside) the {which} (of them|of these|in the list|on your list|you listed|you named)?
  what does the {which} (of them|of these|in the list|on the list|you named) (say|contain|have inside)?
  (can i|could i|may i) (see|read|have|have a look at) the {which} (one|file|of them)?
  (the {which}|the {which} of these|the {which} of them)(: |, )(open|show|contents|what is inside|what is in it|what is there)( please|)?
  the one (that is|that comes|you listed|you named|which is) {which}(, open it|, read it|, show it to me|)
  (from|of) (the|that|your) list(, | )(the {which}|the {which} one|open the {which}|show me the {which}|read the {which})
  (file number|no.|nr|number|item|#) {number}(, the {which}|, so the {which}|, that is the {which} one)
  (and|so|well) what (is in|is inside|does it say in|do we have in) the {which} (one|file|of them)?
  ---
  ! (pull up|bring up|fetch) the {which} (one|file)
  i mean the {which} (one|file)
  the {which}, (let's see|please)`)

export const deleteOne = wordings(`
  ! (delete|remove) the {which}( one| file| entry|)
  ! (delete|remove|get rid of) the {which} (one|file)
  (the {which} one|the {which} file) can go
  i don't need the {which} (one|file), (delete it|remove it)
  ! (discard|destroy|erase|trash|ditch|zap) the {which} (one|file|of them|of these|in the list)
  ! (throw|toss|chuck) (away|out) the {which} (one|file|of them)
  (i need|i want|i'd like|we need) the {which} (one|file|of them) (gone|deleted|removed|erased|out of here)
  (mind deleting|mind removing|care to delete|how about deleting) the {which} (one|file|of them)?
  the {which} (one|file|of them|entry|in the list) (needs to be|has to be|must be|should be) (deleted|removed|erased|gone)
  (would like|got|need|want) to (delete|remove|erase|get rid of) the {which} (one|file|of them)
  the {which} (one|file|of them) (is|was) (useless|outdated|obsolete|rubbish|not needed|too old)(, delete it|, remove it|)
  (delete|remove|erase)(: | from the list: | only )the {which} (one|file|of them)
  (nobody needs|we don't need|i no longer want|i don't want) the {which} (one|file|of them)( any more|, delete it|, remove it)
  the {which} (one|file|of them)(: |, )(delete|remove|erase|delete it|remove it|away with it|get rid of it)( please|)
  (from|of) (the|that|your) list(, | )(delete|remove|erase) the {which}( one| file|)
  (away with|get rid of|be rid of|no need for) the {which} (one|file|of them)
  ---
  ! (scrap|bin|wipe) the {which} (one|file)
  off with the {which} one`)

export const again = wordings(`
  (again|once more|one more time|do it again|run it again|repeat that|try again|retry)
  ! (run|do|execute|repeat) (it|that|that command|the command|the same) (again|once more|one more time)
  ! (run|do|try) (it|that) again
  (the same|same command|same thing) again
  ! (repeat|run|execute|start|launch) (the same command|that command|the last one|it) (a second time|anew|afresh|again)
  (mind running|mind repeating|care to repeat|how about running) (it|that) (again|once more|a second time)?
  (would like|got|need|want) to (run|see|try|have) (it|that) (again|once more|a second time)
  (i need|i want|i'd like) (it|that|the command) (again|once more|repeated|run again|run once more|a second time)
  (one more|a second|another) (time|run|round|attempt|execution)( please| of it| of that|)
  (repeat|retry|again please|and again|do that again|run again|execute again|do over|once more please|repeat it)( now|)
  (same|the same|that same command|that one|that command)(, | )(again|once more|a second time|another time|one more time)( please|)
  (what does it say|what does it print|what comes out|what is the output) (if you run it again|this time|when you repeat it|when run again|the second time)?
  (it|that|the command) (should|must|has to|needs to) (be run|be executed|run|be repeated) (again|once more|a second time)
  maybe it works (now|this time|the second time)(, run it again|, try again|, do it again|, repeat it)
  (let's|let us|now) (run|try|repeat|do) (it|that) (again|once more|a second time|one more time)
  ---
  ! (redo|rerun) (it|that|the last command)
  (another go|once again|encore)
  (give it|have) another (try|go)
  same as before`)

export const alsoFolder = wordings(`
  (and|what about|and what about|and in|how about|and what is in) {folder}?
  (now|and now|then|the same for|also) {folder}
  ! (show|list|look in|open) {folder}( too| as well| also|)
  (and|so|then) (what is|what's|what do we have|which files are|what files are|what do i have) in {folder}?
  (next|next one|another one|now this one|one more)(: |, ){folder}
  (the same|same thing|do the same|do that|do this) (with|for|in) {folder}( too| as well| please|)
  (mind checking|mind listing|care to check) {folder} (too|as well|also)?
  (i need|i want|i'd like|we need) (to see |to look into |){folder} (too|as well|also)
  (now|then|and|and now|and then) (show|list|open|check|look into) {folder}( please|)
  (is there|do i have) (anything|something) in {folder} (too|as well|also)?
  {folder} (too|as well|also)( please|)
  (after that|afterwards|thereafter|moreover|in addition|plus)(, | ){folder}( please|)
  (and|but) (what does|what would) {folder} (have|contain)?
  (over to|on to|go on with|move on to|continue with|now for) {folder}
  (or|well, and|well then) {folder}?
  (would like|got|need|want) to (see|check|look into) {folder} (too|as well|also)
  ---
  ! (inspect|reveal) {folder} (next|likewise)
  {folder} (next|likewise)
  (likewise|ditto) for {folder}
  what of {folder}?`)

export const alsoRead = wordings(`
  (and|what about|and what about|how about|and what does) {path}?
  (now|and now|then|the same for|also) {path}
  ! (show|read|open) {path}( too| as well| also|)
  (and|so|then) (what is|what's|what do we have|what did i write|what is written) in {path}?
  (next|next one|another one|now this one|one more)(: |, ){path}
  (the same|same thing|do the same|do that|do this) (with|for) {path}( too| as well| please|)
  (mind reading|mind opening|care to open) {path} (too|as well|also)?
  (i need|i want|i'd like|we need) (to see |to read |){path} (too|as well|also)
  (now|then|and|and now|and then) (show|read|open|check|look into) {path}( please|)
  {path} (too|as well|also)( please|)
  (after that|afterwards|thereafter|moreover|in addition|plus)(, | ){path}( please|)
  (and|but) (what does|what would) {path} (say|contain|have inside)?
  (over to|on to|go on with|move on to|continue with|now for) {path}
  (or|well, and|well then) {path}?
  (would like|got|need|want) to (see|read|check) {path} (too|as well|also)
  (what does|what is it that) {path} (say|says) (too|then|by contrast|in turn)?
  ---
  ! (inspect|reveal) {path} (next|likewise)
  {path} (next|likewise)
  (likewise|ditto) for {path}
  what of {path}?`)

export const changeInIt = wordings(`
  ! (change|replace) {old} (to|with|by) {now} (in it|there|in that file|)
  (in it|there) (change|replace) {old} (to|with) {now}
  {old} (should be|must be) {now} (there|in it|)
  ! (switch|swap|correct|edit|fix|set|rewrite) {old} (to|into|for|with) {now} (in it|there|in that file|in this file|)
  (i need|i want|i'd like|we need) {old} (changed to|replaced with|replaced by|to be|to become) {now} (there|in it|in that file)
  (mind changing|mind replacing|care to change|how about changing) {old} (to|into) {now} (there|in it|in that file)
  (there|in it|in that file|in this file) (it says|you find|i wrote) {old}(, but |. )(it should be|it must be|make it|it is|i meant) {now}
  {old} (is|was) wrong (there|in it|in that file|)(, | )(it is|it should be|make it|write|correct is) {now}
  {old} (needs to be|has to be|is to be|has become|is now|shall be) {now} (there|in it|in that file)
  (wherever|where) it says {old}(, | there, )(put|write|i want|it should say) {now}
  (no longer|not) {old} but {now}( there| in it| in that file|)
  (correction|change|edit|replacement)(: | there: | in it: ){old} (to|becomes|is now|with|by) {now}
  (would like|got|need|want) to (change|replace) {old} (to|with|by) {now} (there|in it|in that file)
  ! (put|write) {now} where (it says|there is) {old}
  ! (have|get) {old} (changed to|replaced by|replaced with) {now} (there|in it|in that file)
  i (wrote|put|typed) {old} (there |in it |)but (meant|mean|wanted) {now}(, fix it|, correct that|)
  there is a (mistake|typo|slip) (in it|there): {old} (should be|must be|is meant to be) {now}
  ---
  ! (turn|convert) {old} into {now} (there|in it)
  ! make it {now} (instead of|for) {old}`)

export const yesWordings = wordings(`
  (yes|yeah|yep|yup|sure|ok|okay|exactly|right|correct|of course|ja|oui|sí)( please| that one| i do| i did| i meant that|, that one|, please|)
  (that's|that is) (it|the one|right|what i meant|correct)
  (i meant|i mean) (that|that one|it)
  (go ahead|do it|please do|that one|read that|take that one)( please| then|)
  (yes|yeah|yep|sure|ok|okay|right|correct|fine|good|true)(, | )(that is it|that's the one|the one you said|that file|exactly that|i meant it|i think so|read it|open it|show it|show me)
  (uh-huh|mhm|yup yup|jawohl|genau|claro|exact|bingo|absolutely|definitely|certainly|totally|naturally|surely|by all means|yessir|yas|ye|y|si|da|hai)( please|, please|)
  (that|this|it) (was|is|will be|must be|should be) (the one|it|what i want|what i wanted|what i was looking for|the right one|the file i mean|correct)
  (i did|i do|i did mean that|i do mean that|i think so|i believe so|i suppose so|sounds right|looks right|seems right|that sounds right)( yes|, yes| please|)
  (open|read|show|show me|use|take|give me) (that|that one|it|this one|this)( then| please| instead| now|)
  (of course|sure|right|sorry|ah|oh|oops|ah yes|oh yes|sorry yes)(, | )(that one|i meant that one|that is what i meant|my mistake|i mistyped|a typo|that's it|my bad)
  (exactly|correct|right|true|yes)( exactly|| you are correct| it is| it was| that is right| that's correct|, go on|, go ahead|, do that)
  (please|pls|go on|proceed|continue|why not|all right|alright|very well|good idea|fine by me|with pleasure)( then| please|)
  ---
  (indeed|affirmative|aye|precisely)( please|)
  (you guessed it|you are right)
  so it is`)
