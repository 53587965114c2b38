import { wordings, type Wordings } from '../wording.ts'

export const list = wordings(`
  (what|which) skills (do you have|are there|do you know|have you got|are available|can you use)?
  ! (list|show|show me|name) (your|the|all|all your|my) skills
  (do you have|have you|are there) any skills?
  ! (give me|make) a list of (your|the|all) skills
  (what|which) (procedures|recipes|ways of doing things|routines) (do you know|have you learned|did you learn)?
  ! (list|show) (your|the|my) skills
  ! (tell me|show me) (what|which) skills you have
  skills?
  (what|which) skills did (i|we|you) (make|save|write|create)?
  what (is|are) (my|our|the) (skills|saved skills|own skills|skills so far)( called|)?
  how many skills (do you have|are there|have we got|did we make|do i own)?
  ! (print|write out|read out|spell out|count|number) (all |)(your|the|my|our|saved) skills
  ! (tell me|let me know|say) (the names of |about |)(all |)(your|the|my) skills
  (can i see|may i see|could i look at|i'd like to see|i want to see|would love to see|got to see) (your|the|my|all) skills?
  (need|i need|i could use|looking for) (the|a|your) (names|full list|list) (of|for) (the|your|my|all) skills
  (any|got any|have any|got) (skills|saved skills|skills saved|skills yet|recipes saved|routines)?
  (all|my|your|the|saved|available|existing|installed) skills(, please| please|, all of them|: list|)
  (skills|skill names|skill list|list skills|skills list|show skills|ls skills)
  which skills (exist|can i pick from|can i choose from|could i run|would i find here|are saved|are stored|are installed|are ready|did you keep)?
  (what|which) skill (is there|can i use|could i use|should i know of|have i made|names are there)?
  (remind me|i forgot|i can't remember|can't recall|no idea any more|i lost track)(:|,) (what|which) skills (there are|you have|i have|we made|exist)
  (what|which) (workflows|playbooks|how-tos|checklists|step by step guides|recipes) (have you got|have you saved|do you keep|are saved as skills)?
  skills (that|which) (you have|you know|i made|exist|are there|we saved)(, which are they|: list them|, list them|)?
  (is there|do we have|are there) (something|anything) (among|in|under) (the|your|my) skills?
  (go over|run down|go through|run me through) the (list of skills|skill list|names of your skills)
  (i wonder|i'd be curious|curious|wondering) (what|which) skills you (have|know|got)
  (what skills|which skills) you have, (tell|show|say)( me|)
  (your|my) skills: (what|which|how many) (are they|are there|do you have)?
  ---
  ! (enumerate|display) (your|the) skills
  (is there a|let me see the|an overview of the) list of skills
  (what's|what is) in your (skill library|skill collection|set of skills)?
  your skills are which?`)

export const follow = wordings(`
  ! (use|follow|run|apply|start|do|load) (the skill |the |my |)({name}|{name} skill)
  ! (use|follow|apply|run|do) (the skill |)({name})
  ! (use|take|apply) the skill {name}( for this| for that| now|)
  ! (do|go through|work through) (the steps of |the skill |){name}
  (help me|help me with|let's do|let us do|time for|i want to) {name}
  (i need|i'd like) (to do |to |){name}
  (it's|it is) time (for|to) {name}
  ! (work|do it) (by|with|according to) the skill {name}
  {name}, (go|go ahead|do it|start|now)
  ! (run through|carry out|execute) (the skill |the steps of |){name}
  /{name}
  (would you|could we|can we|shall we|why don't we|let's) (use|follow|run|go with|try|take) (the skill |my skill |)({name}|{name} skill)( today| now|)?
  ! (start|begin|kick off|trigger|fire|activate|invoke|call|initiate) (the |my |)(skill {name}|{name} skill|{name} routine)
  ! (load|open up|pick|choose|select|take out|grab) (the skill |skill |my skill |){name} and (do it|follow it|run it|do what it says|go|do its steps)
  (got to|gotta|have to|i must|we must|must|i should|we should|we need to|i am about to) {name}( today| now| again| soon|)
  (let me|i'd love to|i would like to|i feel like|i plan to|i'm going to|gonna|wanna|would love to) {name}( today| now|)
  skill {name}( please| now|!|, go|)
  (do|handle|manage|tackle|take care of|see to) (this|it|the job|that) (with|using|via|through|as in) (the skill |skill |my skill |){name}
  there is a skill (called |named |for this: |){name}, (use it|run it|follow it|do what it says|go by it)
  (i made|i wrote|i have|we have|you have|you know) (a|the) skill {name}(, use it|: use it|, now do it|. do it|. run it|. follow it|, please follow)
  (can|could) you {name}( for me| now| please|)?
  (mind|would you mind|do you mind|how about) (running|using|following|doing|starting|going through) (the skill |my skill |){name}?
  (the steps|steps|all the steps|every step) (of|in|from) (the skill |){name}, (do them|go through them|one by one|now|in order)
  (everything|all|whatever) (that |)(the skill |skill |){name} (says|tells you|asks for|wants)(, do it|: do it|, please do|)
  (follow|use|do) {name} (step by step|one step after the other|from start to end|as we wrote it|as usual|like last time)
  (the usual|same as always|like every week|like always|as ever)(: |, ){name}
  (please use skill|use skill|run skill|do skill|apply skill|follow skill|exec skill|start skill)(: | ){name}
  ---
  ! (perform|employ|launch) (the skill |){name}
  (let {name} guide you|{name} is what i need now|have {name} done)
  (on with|proceed with|get going with) {name}`)

export const sent = wordings(`
  ! (do|use|follow|run|apply|start) (this|it|that|this skill|the skill|the steps)( now|)
  (go|go ahead|now|let's go|start|begin|please|do it)
  (i need|i want) (this|that)( now| done| today|)
  ! (do|follow) what (it|the skill) says
  ! (do|complete|finish|handle|take care of) (it|this|all of it|all of that|everything|the whole thing|every step)( now| for me| step by step| please|)
  ! (work|go|run) through (it|this|the steps|this skill|all the steps|that list)( now| one by one| in order|)
  (can|could|would|will) you (do|follow|run|apply|start|use) (this|it|that|these steps|this one|the skill)( for me| now| please|)?
  (this one|this skill|these steps|all of this|this|that one|this here)(, please| please| now|, now| today|: go|, go|)
  (follow along|step by step|one by one|in this order|in order|from the top|from step one|from the first step)( please| now|, please|)
  (i'd like|i would like|i'd love|we need|got to have|need|want) (this|that|it|these steps) (done|followed|finished|to happen|carried through)( today| now| soon|)
  (go on|get started|get to work|get it done|get this done|start working|work on it|on it please|start now|start please|you may begin)
  (time to|time for|let us|let's|shall we) (do|start|run|begin|use|follow) (it|this|that)( now|)
  (just|simply) (follow|do|use|apply) (the steps|it|this|what is written|what it tells you)
  (it|this|the skill) tells you (what to do|how|everything)(, do it|, go|, so start|)
  (here is|here's|this is) (the skill|a skill|what to do|what you need)(: use it|, follow it|: go|, now do it|, use it now)
  (with|using|by|following) (this|that|this skill|these steps|the skill here)(, please|: go|, do it|, do the job| now|)
  (help|assist) me (with|do|through) (this|that|it|this one|these steps)( now|)
  (now|today|again|once more|please)(, | )(this|this one|this skill|that one|these steps)
  (how about|what about|mind|would you mind) (doing|starting|running|following) (this|it|these steps)( now|)?
  (carry on|continue) (with|by|as in) (this|it|the skill|these steps)
  (i'm ready|ready|all set|ready when you are|i am waiting|waiting)(, go| to start|, start|, begin|)
  ---
  ! (perform|execute) (the above|it)
  (off you go|make it so)
  as the skill says`)

export const show = wordings(`
  ! (show|show me|read|open|view|print) (the skill |the steps of |)({name})
  (what are|what were|tell me|list) the steps (of|in|for) (the skill |){name}?
  (what does|what is in|what's in) the skill {name}( do| say| contain|)?
  how does (the skill |){name} (work|go)?
  how do (i|you|we) {name}?
  ! (explain|tell me about|describe) the skill {name}
  (what do|which things do) i (do|need) for {name}?
  ! (read out|read me|list|spell out|write out|type out|lay out|bring up|tell me) (all |)the steps (of|in|for|from) (the skill |my skill |){name}
  (can|could|may) i (see|read|look at|check|have a look at|view) (the skill |my skill |the text of the skill |the steps of ){name}?
  (let me|i want to|i'd like to|i need to|would love to|got to|have to) (see|read|check|look at|review) (the skill |my skill |the steps of ){name}
  what (have i|did i|did we|have we) (write|written|put|save|saved|note|noted) in (the skill |my skill ){name}?
  (what's|what is) (the skill |my skill )({name}) (about|made of|like|for|supposed to do)?
  (i forgot|i can't remember|can't recall|i don't know any more)(:|,) (what is in|the steps of|what are the steps of|what comes in) (the skill |){name}
  (which|how many|what) steps (are in|does|are there in|belong to|make up) (the skill |){name}( have| contain| need| take|)?
  ! (view|see|inspect|check|look at|look into|look over|go over) (the skill |my skill |the content of the skill ){name}
  (the|all|all the|my) steps (of|for|in) (the skill |){name}(, please| please|?|: what are they|, which are they|)
  how (is|was|should|would|must) (the skill |){name} (done|to be done|meant to be done|be done|meant to go)?
  what (happens|comes first|comes next|is there to do|do i do first|is step one) (in|for|with) (the skill |){name}?
  (need|i need|give me|i'd like|send me|want) the (steps|instructions|content|contents|text|wording|details) (of|for|from|in) (the skill |){name}
  (what|which things) (would|will|should) you do (for|in|with) (the skill |){name}?
  (skill {name}|{name} skill)(: | - |, )(show|show it|steps|read it|what does it say|what's in it|tell me the steps|let me see)(?|)
  (how did|how do|how would|how should|how am) (we|i) (do |go about |to do |start |handle )(the skill |){name}( again|)?
  (have a look at|take a look at|take a look into|look up) (the skill |my skill |the steps of ){name}( and tell me| please|)
  (tell|say|explain|describe)( to|) me (how|in steps how) (the skill |){name} (is done|is to be done|is made)
  ---
  ! (present|recite|display) the skill {name}
  (by what steps|in what way) does {name} work?
  ! (remind me how|walk me through how) {name} (goes|works)`)

export const create = wordings(`
  ! (make|create|write|save|add|build) a (skill|new skill) (called |named |)({name}): {steps}
  ! (make|create|write|save|add) a (skill|new skill) (called |named |){name} (with the steps|with these steps|with|that says|where you|to|that tells me to|which tells me to) {steps}
  ! (make|create|save) a skill {name}: {steps}
  ! (save|keep|store|remember) (this|these steps) as (a skill|the skill|a skill called) {name}: {steps}
  (i want|i need|i'd like) a skill (called |named |){name}(: | that says | with the steps ){steps}
  (new skill|skill) {name}: {steps}
  ! (learn|learn how to do|learn a new skill) {name}: {steps}
  (from now on|whenever i say) {name} (means|is|stands for): {steps}
  (teach yourself|let me teach you) (a skill |){name}: {steps}
  ! (turn|make) this into a skill (called |){name}: {steps}
  (make|create|write|save|add|build) (me |us |)(a|one more|another|a little|a small|a short) skill (for|about|on|called|named) {name}(: |, steps: | with steps | - ){steps}
  (can|could|would) you (make|create|save|write|add|build) (me |)(a|another) skill (called |named |for |){name}(: |, it says | with |, steps: ){steps}
  ! (define|register|establish|start|prepare|design|compose|invent) (a|the|a new) skill (called |named |){name}(: | as | with the steps | with ){steps}
  (new skill|skill name|add skill|create skill|make skill|save skill|skill called)(: | = | - | ){name}(. steps: |, steps: | / steps: |; | - | -> |; steps ){steps}
  {steps}(: |. )(save|keep|store|make|remember|write down) (this|that|these steps) as (the|a|a new) skill (called |named |){name}
  {steps}, (that is|that's|this is|those are the steps of|that will become|make that) (a|the|my|our|my new) skill (called |named |){name}
  (there's a|here's a|here is a|i have a|got a|we have a) (new |)skill (for you|to save|to learn|to keep)(: |, )(it is called |name |){name}(, steps: |, it goes |: |. ){steps}
  (i'd love|would love|need|i want to have|i want to make|i'd like to save|let me have|we need|i could use) a (skill|new skill) (called |for |named |){name}(: |, with | with these steps: |. steps: ){steps}
  (for|to do|when i ask for|when i want|every time i want|if i ask for|if i say) {name}, (save|make|create|keep) (a skill|this skill|a new skill)(: | with | that says ){steps}
  the skill {name} (goes|works|is done|runs) (like this|so|as follows|this way|in these steps)(: |, save it: |, please save: ){steps}
  (how to|the way to|this is how we|this is how i|here is how to|here is how i) {name}(, as a skill: |, save it as a skill: |, keep it as a skill: |, make it a skill: ){steps}
  (can|could|would) (a|this new|one) skill (called |named |){name} (be made|be saved|be created|be added)(, |: | with )(steps: |){steps}
  (mind|would you mind|how about) (making|saving|creating|writing|adding|building) a skill (called |for |){name}(: | with | that says ){steps}
  (steps for|the steps for|steps of|all steps for|recipe for) (a|the|my|a new) skill (called |){name}: {steps}
  ! (note|write down|put down|store|memorise|keep) a skill (called |named |for |){name}(: |, steps: | with the steps ){steps}
  ! (teach|show) (yourself|the assistant) the (new |)skill {name}: {steps}
  {name}(: a skill, |, new skill: | (skill): |, a new skill with |: new skill with steps | as a skill: |, save as skill: ){steps}
  (it's|it is) time (for|to make|to save|we had) a skill (called |for |){name}(: |, steps: | with ){steps}
  ! (save|put|store) (under|as) (the skill|the name|skill) {name} (these steps|the steps|this skill)(: | - ){steps}
  (a|one|another|a short|a tiny) skill, (please|if you can|pls)(: |, )(called |named |){name}(: |, with |, steps: ){steps}
  ---
  ! (set up|produce|put together|draft) a skill {name}: {steps}
  ! (file|record) (the following|this) as the skill {name}: {steps}
  {name} (shall be|should be|will be) a skill: {steps}
  a skill by the name of {name}, (with|steps): {steps}`)

export const createRun = wordings(`
  ! (make|create|write|save) a (skill|new skill) (called |named |){name} that runs {steps}
  ! (make|create|save) a skill {name} (with the commands|which runs|to run|that executes) {steps}
  (i want|i need|i'd like) a skill (called |){name} (to run|that runs) {steps}
  ! (save|keep) the commands {steps} as (a skill|the skill) {name}
  ! make a skill {name} that runs {steps}
  new skill {name}, (run|it runs) {steps}
  (add|build|define|start|prepare|register) (me |)a (new |little |)skill (called |named |for |){name} (that runs|to run|with|for running|that does|that calls) {steps}
  (can|could) you (make|create|save|add|write) (me |)a skill (called |){name} (that runs|which runs|to run|for) {steps}?
  (need|i could use|i'd love|would love|we need|i want to have) a skill (called |named |){name} (that runs|to run|which runs|with the commands) {steps}
  (for|in|as) the (new |)skill {name}(, | )(run|save|keep|use) (the commands |){steps}
  {steps}(: | - )(save|keep|store|make|remember) (these commands|that|this) as (the|a|a new) skill {name}
  (skill|new skill|create skill|add skill|make skill) {name}(: run |, commands: |: the commands | - run | -> run | = run ){steps}
  (when|whenever|if|every time) i (ask for|use|start|call) the (new |)skill {name}, (run|it runs|it should run|you run) {steps}
  (mind|would you mind|how about) (making|saving|creating) a skill {name} (that runs|to run|with) {steps}
  ---
  ! (set up|put together) a skill {name} (running|which executes) {steps}
  {name} should be a skill that runs {steps}
  ! (bundle|wrap) {steps} into a skill {name}`)

export const addStep = wordings(`
  ! (add|append) (a step|the step|one more step|another step) to (the skill |my skill |){name}: {step}
  ! (add|append|put) {step} to (the skill |the steps of |){name}
  (the skill |){name} (should also|must also|also has to) say {step}
  ! (update|change|extend|improve) (the skill |){name}: (also |at the end |){step}
  (in|for) (the skill |){name} (add|also): {step}
  (the skill |){name} is missing (a step|something): {step}
  (you forgot|there's missing|put) a step in {name}: {step}
  ! (add|append) a step to {name}: {step}
  (can|could|would) you (add|put|append|write) {step} (to|into|in) (the skill |my skill |){name}?
  (need|i need|i want|i'd like|would love|there should be) (one more|another|an extra|a further|a new) step in (the skill |){name}: {step}
  (new|extra|another|additional|last|final|one more) step (for|in|of) (the skill |my skill |){name}: {step}
  ! (insert|include|attach|write) {step} (at the end of|as the last step of|as a new step in|into|as another step in) (the skill |){name}
  (skill {name}|the skill {name})(: add |, add |: plus | + |, new step: |, last step: ){step}
  (i|we) (forgot|have forgotten|missed) (something|a step) in (the skill |){name}: {step}
  (after the last step|at the end|as the last thing|finally|to finish) (of|in) (the skill |){name}(: | comes | add ){step}
  {step}(: | - )(add that|put that|please add it|that goes|it belongs) (to|in|into) (the skill |my skill |){name}
  (the skill |){name} (needs|should have|must have|wants|gets|has got to have) (one more step|another step|an extra step|a new step|also this): {step}
  (mind|would you mind|how about) (adding|putting|appending) {step} to (the skill |){name}
  ---
  (complete|round off) (the skill |){name} with {step}
  ! (supplement|enrich) (the skill |){name} with {step}
  {name} lacks (one step|something): {step}
  (let|make) {name} end with {step}`)

export const addStepToIt = wordings(`
  ! (add|append) (a step|one more step|another step)( to it| to that skill| to the skill|): {step}
  (you should|you must|please|it should) also {step}
  (also|and also|next time also|and then) {step}, (add that|put that in|add it to the skill|remember that step)
  (you forgot|that was missing|there is a step missing|something is missing): {step}
  ! (improve|update|change|extend) (it|the skill|that skill): (also |){step}
  (next time|in future|from now on) (also |){step}
  (the skill|it) (should also|must also|needs to) say {step}
  (can|could|would) you (add|put|append|include) (a step|another step|one more)( there| to it| at the end|): {step}
  (need|i need|i want|there should be|we need|give it) (one more|another|an extra|a further|a new) step( there| in it|): {step}
  (new|extra|another|additional|last|final|one more|next) step( for it| there| in it| please|): {step}
  ! (insert|include|attach|put in|write down) (a step|one more step|another step|a last step)( there| in it| in that skill|): {step}
  (i|we) (forgot|have forgotten|missed) (something|a step|one thing|the last step)( there| in it|): {step}
  (after that|at the end|as the last step|to finish)( of it|)(: | add | put ){step}
  {step} (belongs there|goes in there|comes at the end|should be in it|is the next step)(, too|, as well|, please add it|)
  (plus|and one more|and another step|plus a step|one thing more)(: | - ){step}
  ---
  (one thing lacks|it lacks a step)(: | - ){step}
  ! (supplement|enrich) (it|the skill) with {step}
  (let it end|finish it) with {step}
  (you left out|you left something out)(: | - ){step}`)

export const changeStep = wordings(`
  ! (change|replace|edit|update) {number} of (the skill |){name} (to|with|by): {step}
  ! (change|replace|update) {number} (in|of) {name} (to|with) {step}
  {number} of (the skill |){name} (should be|must be|is now|should say): {step}
  (in|for) (the skill |){name} {number} (should be|should say|must be): {step}
  ! (fix|correct|update) (the skill |){name}: {number} is {step}
  ! (change|replace) {number} of {name}: {step}
  (can|could|would) you (change|replace|edit|correct|update) {number} (of|in) (the skill |my skill |){name} (to|with|into): {step}
  (i want|i'd like|i need|we need|need|want) {number} (of|in) (the skill |my skill |){name} (to be|to say|changed to|as): {step}
  ! (set|edit|modify|turn|make) {number} (of|in) (the skill |){name} (to|into|as): {step}
  (skill {name}|{name}|the skill {name})(: |, | - ){number} (should be|is now|becomes|to|must say|from now on)(: | ){step}
  {number} (of|in) (the skill |){name} (is wrong|is outdated|was a mistake|is not right|has changed)(: |, it should be |, make it |, now: ){step}
  (instead of|in place of) {number} (of|in) (the skill |){name} (put|write|use|take|i want|we do)(: | ){step}
  (for|as) {number} (of|in) (the skill |){name} (put|write|use|take|i'd rather have|we now say)(: | ){step}
  (new text|new words|a new version|correction|a correction|an edit) for {number} (of|in) (the skill |){name}: {step}
  (mind|would you mind|how about) (changing|replacing|editing) {number} (of|in) (the skill |){name} (to|with): {step}
  ---
  ! (rewrite|swap) {number} of {name}(: | for ){step}
  (let|make) {number} of {name} (be|read): {step}
  {name} is wrong, {number} (reads|ought to be): {step}`)

export const remove = wordings(`
  ! (delete|remove|drop|throw away|get rid of) (the skill |my skill )({name})
  ! (delete|remove) the skill {name}
  (i don't need|i no longer need|we don't need) the skill {name}( any more|), (delete it|remove it)
  the skill {name} (can go|can be deleted|is not needed any more)
  ! (forget|unlearn) the skill {name}
  ! (delete|remove) {name} from (the|your|my) skills
  ! (erase|trash|clear|do away with|wipe out|uninstall|take away|dump) (the skill |my skill )({name})( for good| please| completely| again|)
  (can|could|would) you (delete|remove|erase|drop|get rid of) (the|my) skill {name}?
  (skill|the skill|my skill) {name}(: delete|, delete it|, remove it| - delete| can be removed|, get rid of it|, out with it|: remove)
  (i|we) (never|don't|hardly|no longer) (use|want|like|follow|run) the skill {name}( any more| anyway|), (delete it|remove it|erase it|drop it)
  (want|need|i'd like|i want|i need) the skill {name} (gone|deleted|removed|erased|out of the list|off the list)
  (delete|remove|erase|drop|discard) skill(: | ){name}
  (the|my) skill {name} (is old|is useless|is wrong|is outdated|has no use now|was a mistake|was only a test), (delete it|remove it|erase it|drop it)
  (no more|no need for|done with|away with|enough of|out with|goodbye to) the skill {name}(, delete it|, remove it|)
  (mind|would you mind|how about) (deleting|removing|erasing|dropping) the skill {name}?
  ! (take|strike|cross) (the skill |){name} (out of|off|from) (the list of skills|your skills|my skills|the skills)
  ---
  ! (scrap|discard|bin) the skill {name}
  (make|let) the skill {name} disappear
  your skills can do without {name}`)

/** What people ask for that a skill that ships is made for. */
export const wishes: Readonly<Record<string, Wordings>> = {
  'break-down-task': wordings(`
    ! (break down|split up) (my|this|the) (task|project|goal|work)( into steps|)
    (i don't know where to start|where do i begin|this is too much) with (my |the |){noun}
    ! (make|give me|help me make) a plan for (my |the |){noun}
    (my|the) {noun} is too (big|large), (split it up|make a plan|break it down)
    (the|my|this) {noun} (looks|seems|feels|is) (huge|endless|overwhelming|complicated|hard to start), (help me plan it|where to start|how do i start|help me with a plan|make steps of it)
    ---
    (divide|cut) the {noun} (work |)into (small |)(pieces|steps)
    how (should|could) i (tackle|approach) the {noun}?`),
  'clean-csv': wordings(`
    ! (clean|clean up|fix|repair|tidy) (my|the|this) (csv|table|csv file|spreadsheet)
    (my|the) csv (is messy|is a mess|will not import|has duplicate rows|is broken)
    ! (remove|find) (the |)(duplicates|duplicate rows|empty rows) (in|from) (my|the) (csv|table)
    (my|the|this) (csv|csv file|table|spreadsheet) (needs cleaning|needs tidying|has errors|has empty rows|has doubles|looks ugly|is full of rubbish|is dirty)(, can you help|, clean it| please|)
    (get rid of|delete|throw out) (the |)(doubled|duplicate|repeated|blank|empty|broken) (rows|lines|columns) (in|of) (my|the|this) (csv|table|spreadsheet)
    (can|could) you (clean|tidy|fix|repair|clean up|straighten out) (my|the|this) (csv|spreadsheet|csv table|data table)?
    ---
    ! (sort out|normalise) (my|the) (csv|tsv) table
    the rows of my csv are in a (bad|terrible) state`),
  'commit-message': wordings(`
    ! (write|make|suggest) (me |)a (commit message|git commit message)( for this| for my changes|)
    ! (commit|check in) (my|the) (changes|work)( with a good message|)
    (i need|i want|help me with) a (commit message|message for my commit)( please|)
    what (message|words) should i commit (this|my changes) with?
    (what would be|give me) a good commit message( for this|)?
    (need|looking for|i could use|suggest|any idea for) (a|the) (good |short |clear |)(commit message|git message|message for the commit)
    (what|how) (do|should|could|can) i (write|call|put) (in |as |)(the|my|this) (commit message|commit|git commit)?
    (commit message|message for git|git commit text|commit text)(, please| please| for this| for today's work|)
    ---
    ! (phrase|word) (my|the) commit
    ! (describe|summarise) my changes for git`),
  'debug-command': wordings(`
    (my|the|this) (command|script|program) (fails|does not work|hangs|crashes|ends with an error)
    (why does|find out why) (my|the|this) (command|script|program) (fail|fails|hang|crash|crashes|not work)?
    (help me|please) debug (my|the|this) (command|script|program)
    (i get|it gives|there is|why do i get) (an error|a strange error|errors) (when i run|from|in|with) (my|the|this) (command|script|program)
    (my|the|this) (command|script|program) (is broken|stopped working|won't run|won't start|keeps failing|throws an error|gives an error)(, help|, what now|, why|)
    (can|could) you (debug|find the bug in|find the error in|help me debug|find out what is wrong with) (my|the|this) (command|script)?
    ---
    ! (track down|hunt) the (error|bug) in my (command|script)
    something (is wrong|goes wrong) with my script`),
  'explain-log': wordings(`
    ! (explain|read|interpret) (this|the|my) (log|log file|stack trace|crash report)
    what (does|do) (this|the|my) (log|log file|stack trace|crash report) (say|mean|tell me)?
    what went wrong according to the (log|log file|crash report)?
    (can|could) you (explain|read|interpret|go through|help me understand) (this|the|my) (log|log file|crash report|stack trace|error log)?
    (i don't understand|i don't get|help me read|what is in|can't read) (this|the|my) (log|log file|stack trace|crash report|error log)
    ---
    ! (make sense of|decode) (my|the) (log|stack trace)
    the log in plain words, please`),
  'meeting-notes': wordings(`
    ! (turn|make|write) (my|the|these) (notes|meeting notes) into (minutes|proper minutes)
    ! (write|make) (the |)minutes (of|for|from) (the|my|our) (meeting|call|interview)
    ! (put|bring) (my|the) (meeting notes|notes of the meeting) in order
    (need|i need|i'd like|can you write|would you do) (the |)(minutes|meeting minutes|a protocol) (of|for|from) (my|our|the|today's) (meeting|call)
    (can|could) you (tidy|clean up|write up|sort) (my|the|our) (meeting notes|notes from the meeting|notes of the call)?
    ---
    (minute|protocol) our meeting from the transcript
    (who decided what|what was agreed) in (our|the) (meeting|call)?
    decisions and tasks from (my|the) meeting notes`),
  'organise-files': wordings(`
    ! (organise|organize|tidy|sort|clean up) (my|the) (files|downloads|downloads folder|desktop|documents)
    ! (find|remove) (the |)duplicate (files|photos)( in this folder|)
    ! (bring|put) (my|the) (files|folder|downloads) (into|in) order
    (can|could) you (tidy|sort|organise|clean up|tidy up) (my|the) (downloads|desktop|documents|folder|files)?
    (my|the) (desktop|documents|files|folder) (is|are) (untidy|unsorted|full of old stuff|all over the place|disorganised)(, help|, tidy up| please|)
    (need|i need|help|help me) (to |)(sort|organise|tidy|clear out|tidy up) (my|all my|the) (files|documents|desktop|downloads)
    ---
    ! (declutter|arrange) my (downloads|folder)
    my downloads are (chaos|a mess)`),
  'procedure-checklist': wordings(`
    ! (turn|make) (this|the|these) (manual|instructions|recipe|procedure|text) into a checklist
    ! (make|give me|write) a checklist (from|of|out of) (this|the|my) (manual|recipe|instructions|procedure)
    (need|i need|i'd like|can i have|want) a (checklist|check list) (from|of|out of|for) (this|the|my) (manual|procedure|instructions|text)
    (can|could) you (make|turn|write|change) (this|the|my) (manual|instructions|procedure|recipe) (into|as|to) a checklist?
    ---
    ! (transform|rework) the (manual|guide) (to|into) boxes (to tick|i can tick)
    instructions as a tick list`),
  'summarise-folder': wordings(`
    ! (summarise|summarize|sum up) (this|the|my) (folder|documents|notes|reports)
    ! (give me|make) (an overview|a summary) of (all |)(my|the) (documents|notes|reports|files in the folder)
    (what are|tell me) the main points of (all |)my (documents|notes|reports)?
    (can|could) you (summarise|summarize|sum up|give me a summary of) (this|the|my|the whole) (folder|documents|notes|reports)?
    (need|i need|i'd like|want) a (short |quick |)(summary|overview|digest) of (my|the|all my|these) (documents|reports|notes)
    (in short|in a few words|briefly), what (is|do) (all |)(my|the) (documents|reports|notes) (about|say)?
    ---
    ! (condense|boil down) the (whole |)folder
    what do all my documents say together?`),
  'weekly-review': wordings(`
    ! (do|make|write|help me with) (my|the|a) weekly review
    ! (review|go through|sum up|summarise) (my|the|this|the last) week
    (plan|prepare) (the|my) next week( with me|)
    (time for|let's do|start) (my|the|a) (weekly review|review of the week|look at my week)
    (what did i do|what happened) (this|last) week?
    (can|could|shall) (you|we) (do|start|go through|make|help with) (my|the|our|a) (weekly review|week review|review of the week)?
    (weekly review|week in review|review of my week|my week in review|end of week review)(, please| please| now| time|)
    (need|i need|i'd like|i want|let me) (to |)(review|do|go over|plan) (my|the) (week|weekly review|coming week)
    ---
    ! (look back|take stock of) (on |)(my|the) week
    ! help me close the week`),
  'write-a-skill': wordings(`
    (help me|teach me how to|how do i) write a (good |)skill
    (how should|how can|how does one) (a skill be written|a good skill look|a skill look like)?
    (tips|rules|advice) for (writing|making) (good |)skills
    ! (improve|polish) (my|the) skills
    (what makes|how does one write) a good skill?
    (i want to learn|i'd like to know|explain|show me|i don't know|not sure) how (to write|one writes|i should write|to make|to phrase) (a skill|good skills|a good skill|skills)
    (how do|how can|how would|what's the best way to|what is the best way to) (i |you |)(write|make|phrase|structure) (a |)(good |proper |useful |)(skill|skills)?
    (can|could) you (improve|check|polish|look over) (my|the|our) skills?
    ---
    (advice|guidance) on (writing|making) skills
    (mastering|studying) (the art|the craft) of (writing skills|good skills)
    the art of writing skills`),
}
