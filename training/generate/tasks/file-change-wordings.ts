import { wordings } from '../wording.ts'

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
  ! (put|drop|place|enter|record|log|store|dump) the (text|words|line) {content} (into|in|inside) {path}
  ! (prepare|compose|build|draft|begin|make me|get me|write me) (a file|a new file|a text file|the document|a note) (called |named |){path} (that reads|with the words|which says|with): {content}
  (i need|i'd like|i want|gimme|we need) {path} to (say|contain|have|include|read) {content}
  (would love|would like|got to have|need to have|have to have) a file (called |named |){path} (with|that says|saying|containing) {content}
  {path} (with|containing|saying|that says|with the text|with the words) {content}
  {path} (is to|must|shall|ought to|has to|needs to) (say|contain|have inside|have in it) {content}
  (mind writing|mind saving|mind putting|care to write|how about writing) {content} (to|into|in) {path}
  (file|new file|text file|document|filename|file name)(: | ){path}(, content: |, text: |, contents: |, inside: | with text ){content}
  (the following|this|this text|this line) (should go|must go|has to go|shall go) (in|into) {path}: {content}
  ! (keep|hold on to|preserve) {content} in (a file|a file called|a new file|the file) {path}
  {content} (should be|must be|has to be|shall be) (in|inside|written in|saved in|stored in) (a file called |the file |){path}
  {content} (to be saved|to be written|to be stored|written down|saved) (in|to|as|into) {path}( please|)
  for {path}: (write|the text is|the content is|it should say|put) {content}
  in {path} (i want|i need|there should be|must be|we want|i would like) (the words |the text |the line |){content}
  (save this|store this|write this|keep this|put this|write that) (to|in|into|as) {path}: {content}
  (text|content|words): {content}, (file|save in|write to|put into|into the file): {path}
  (make|create) me (a file|a document|a text|something) (called |named |){path}(. |, )(it should say|inside write|in it|content) {content}
  (there should be|there has to be|i lack|i miss|there is no) a file {path}( yet|)(. | )(with|saying|containing|that says|write there) {content}
  echo {content} > {path}
  (can't|cannot) make {path} myself, (write|put|save) {content} (in it|into it|there)
  ! (type up|write up|write out|put down|set down|pen|scribble|note) {content} (in|into) {path}
  ! (have|get) {content} (saved|written|stored|put) (in|into|to) {path}
  ! (create|make|write|open|begin) {path}(, then | and )(write|put|enter|save) {content} (in it|into it|there|inside)
  {path} (gets|takes|has) (the text|the content|the line|the words) {content}
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
  ! (build|prepare|begin|compose|get me|make me|draft|put together) (a list|a new list|a checklist|a bullet list) (in|called|named) {path} (with|of|from) {items}
  ! (record|enter|place|log|set down|keep) {items} (as a list|as list items|as bullet points|line by line) in {path}
  (i need|i'd like|i want|gimme|we need) {items} (as a list|as bullet points|in a list|listed) in {path}
  (would love|would like|got to have|need to have) a (list|checklist) (in|called) {path} with {items}
  (list|checklist|shopping list|todo list|packing list|new list)(: | ){path}(: | with | of ){items}
  {path} (should|must|shall|has to|needs to) be a list (of|with) {items}
  {path} (should|must|shall|has to|needs to) list {items}
  (mind writing|mind making|care to make|how about making) a list (of|with) {items} in {path}
  {items} (should be|must be|have to be|shall be) (listed|a list|in a list|bullet points) in {path}
  {items} (to be listed|in a list|as bullet points|one on each line|each on its own line|as list entries) in {path}( please|)
  for {path}: a list (of|with|from) {items}
  in {path} (i want|i need|there should be|put|make|we want) a list (of|with) {items}
  (the following|these things|these) (as a list|listed|as bullet points) (in|into) {path}: {items}
  (bullet points|bullets|list items|entries) in {path}: {items}
  ! (make a list of|put in a list): {items}(. | )(save it|write it|store it) (in|to) {path}
  ! (write|make|create) {path} (as|like) a (bullet list|bulleted list|checklist) (of|with) {items}
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
  ! (open|begin|get me|make me|place|put|lay down|initialise) (an empty file|a blank file|an empty document|a file without content) (called |named |){path}
  (i need|i'd like|i want|gimme|we need) (a blank|just an empty|only an empty|an empty) (file|document|text file) (called |named |){path}
  (would love|would like|got to have|need to have) an empty file (called |named |){path}
  touch {path}
  (empty|blank|zero-byte|void) (file|document)(: | ){path}( please|)
  {path} (should|must|shall|has to) be (created empty|made empty|an empty file|there but empty)
  {path}: (create it empty|an empty file|make it empty|no content|new and empty|blank)( please|)
  (mind making|mind creating|care to make|how about) an empty file (called |named |){path}
  (make|create|start) (a file|the file|a new file) {path} (without text|without content|with no text|with no content|that is empty|which is blank|and leave it blank)
  (just|only) (the file|the empty file|an empty) {path}(, no text|, no content yet|, i fill it later|, nothing inside)
  there should be an empty (file|document) (called |named |){path}
  (i will fill|i'll write) {path} (later|myself), (just create it empty|make it empty for now|only create an empty file)
  ! (have|get) an empty file {path} (created|made)
  nothing (should be|has to be|is) (in|inside) {path} yet, (just|only) (create|make) (it|the file)
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
  ! (switch|flip|rewrite|revise|modify|adjust|set|reword) {old} (to|into) {now} in (the file |){path}
  ! (cross out|strike out|take out|remove) {old} (in|from) {path} and (put|write|insert) {now} (there|instead|in its place)
  ! (edit|update|modify|revise|correct|open) {path}(: | and )(change|replace|swap|make) {old} (to|with|by|into) {now}
  (i need|i'd like|i want|we need) {old} (changed to|replaced with|replaced by|to be|to become) {now} in {path}
  (would like|got to|need to|have to|want) to (change|replace|rename) {old} (to|with|by) {now} in {path}
  {path}: (change|replace|swap|edit) {old} (to|with|by|for) {now}
  {path}: {old} -> {now}
  {path}: {old} (is wrong|is outdated|is a mistake|is not right), (it's|it is|it should say|write|make it) {now}
  (mind changing|mind replacing|mind correcting|care to change|how about changing) {old} (to|into) {now} in {path}
  in {path} (it says|there is|you find|i wrote) {old}(, but |. )(it should be|it must be|it has to be|make it|i meant) {now}
  (wherever|where) (it says|there is|you see) {old} in {path}, (put|write|make it|i want|it should say) {now}
  {old} (is|was) wrong in {path}(, | )(it is|it should be|make it|write|correct is) {now}
  the {old} in {path} (is now|has become|became|should read|should become|needs to be) {now}
  {now} (should be|must be|has to be|shall be) (where|in the place where) {old} is in {path}
  (no longer|not|no more) {old} but {now} in {path}( please|)
  i (wrote|put|typed) {old} in {path} but (meant|mean|it is|wanted) {now}(, fix it|, correct that|, please change it|)
  (replacement|edit|correction|change) (in|to) {path}: {old} (to|becomes|is now|by|with) {now}
  ! (let {now} take the place of|put {now} over|write {now} over|swap in {now} for) {old} in {path}
  ! (have|get) {old} (changed to|replaced by|replaced with|corrected to) {now} in {path}
  there is a (mistake|error|typo|slip) in {path}: {old} (should be|must be|has to be|is meant to be) {now}
  ! (correct|fix|repair|mend) (the mistake|the word|the typo|the error) {old} in {path}(: | to )({now})
  ---
  ! (turn|convert) {old} into {now} in {path}
  {path}: {now} (for|rather than) {old}
  ! (substitute|exchange) {old} (with|for) {now} in {path}
  ! (amend|alter) {path}, {old} (turns into|is to be) {now}`)

export const append = wordings(`
  ! (add|append|attach) {content} to {path}
  ! (add|append) (a line|the line|a new line) to {path}: {content}
  (at the end of|below everything in) {path} (add|write|put) {content}
  ! (add|append|write) {content} (at|to) the end of {path}
  ! (add|append) {content} to {path}
  ! (put|write) another line (in|into) {path}: {content}
  ! (extend|continue) {path} with {content}
  ! (attach|insert|enter|include|write|place) {content} (at the bottom of|at the end of|below the rest in|as the last line of|as a new line in) {path}
  ! (note|put|log|record) (also|additionally|as well) in {path}: {content}
  ! (add|append|attach) (the words|the text|the note|this|an entry|one line) to {path}: {content}
  (i need|i'd like|i want|we need) {content} (added|appended|attached) to {path}
  (would like|got to|need|have|want) to (add|append) {content} to {path}
  {path}: (add|append|plus|also|at the end|new last line)(: | ){content}
  (add to|append to|to the end of|at the bottom of|continue in|also for|another line for|addition to) {path}: {content}
  (mind adding|mind appending|care to add|how about adding) {content} to {path}
  {content} (should be|must be|has to be|shall be|is to be|can be) (added|appended|attached) to {path}
  {content} (to be added to|added to|appended to|at the bottom of|at the end of|as last line of|as a new line in) {path}( please|)
  {path} (should|must|shall) (also|additionally|further|in addition) (say|contain|have|mention|list) {content}
  (and |)(also|additionally) in {path}(: | put | write | add ){content}
  (the last line|the new last line|the bottom line|the final line) of {path} (should be|must be|shall be|becomes) {content}
  (below|under|underneath|after) (the last line|the rest|the text|what is there|everything) (of|in) {path}(: | write | put | add | goes ){content}
  echo {content} >> {path}
  (keep|leave) (what is in |the text of |){path} (as it is |)(and|but|just) (add|append|put behind it|write below it)(: | ){content}
  i (forgot|left out) {content} in {path}(, add it| so add it|, please append it|, put it at the end)
  ! (make|let) {path} (longer|grow) by (the line |a line: |){content}
  ! (have|get) {content} (added|appended) (to|at the end of) {path}
  (one thing|something|a line) (is missing|is lacking|lacks) in {path}(: | - ){content}
  ---
  ! (tack|stick) {content} onto {path}
  {path} needs (another|one more) line: {content}
  one more line for {path}: {content}`)
