import type { Written } from './relation.ts'

/** What happens to people, what they plan, and things said freely, of which no form is foreseen. */
export const aboutLife: Readonly<Record<string, Written>> = {
  child: {
    value: '{number}',
    said: `
      i have {number} grandchildren
      i have {number} cousins
      i own {number} books
      i have {number} plants
      (i possess|i keep|i have got|i'm the owner of) {number} (books|plants|records|postcards|coins)
      (i have|i've got|i have got) {number} (nephews|nieces|siblings|children|godchildren|houseplants|aunts)
      ---
      i collect stamps and have {number}`,
    topic: `
      (how many things i have|the number i told you)
      (how many of them i (have|own|possess)|the (amount|quantity|figure|total) (i (told you|mentioned|named)|that i have))
      ---
      the count i gave`,
    ask: `
      how many do i have?
      how many did i say i have?
      how many (of them|of those|in total|altogether|exactly) (do i have|do i own|have i got|are mine|did i tell you about|did i mention)?
      (what number|which number|what figure|what amount|what quantity|what total) did i (tell you|say|name|mention)?
      (could|can|would) you (please |)(tell me|remind me|say) (how many i have|how many i own|what number i said)?
      (i forgot|i can't recall|need to know|i've lost track of|tell me) how many (i have|i own|i've got|there are)
      ---
      what count did i give?`,
  },
  plan: {
    key: '{task}',
    value: '{task}',
    said: `
      i have to {task} on {weekday}
      i need to {task} on {weekday}
      i want to {task} on {weekday}
      i must {task} before {weekday}
      i plan to {task} this {month}
      i will {task} on {weekday}
      (i have got to|i'm supposed to|i have promised to|i'm planning to|i'm obliged to) {task} on {weekday}
      (i hope to|i aim to|i mean to|i have decided to|i expect to|i'm due to) {task} (by|on|next) {weekday}
      my plan is to {task} on {weekday}
      ---
      i am going to {task} on {weekday}
      i intend to {task} on {weekday}`,
    topic: `
      (that i have to {task}|my plan to {task})
      (my (task|duty|errand|promise|intention|to-do) to|that i (need|want|wanted|plan|must|ought) to|when i have to|when i need to) {task}
      ---
      the plan to {task}`,
    ask: `
      when do i have to {task}?
      when do i (want|need|plan) to {task}?
      (which|what) day do i {task}?
      do you (know|remember) when i have to {task}?
      (when|which day|what day|which weekday) (must i|should i|will i|am i supposed to|do i need to|did i want to|did i plan to|was i going to) {task}?
      (could|can|would) you (please |)(tell me|remind me|let me know|look up) (when i have to|when i need to|which day i have to|when i wanted to) {task}?
      (by when|how soon|for which day|for when) (do i have to|must i|did i plan to|do i need to) {task}?
      (i forgot|i can't recall|need to know|i'd like to know|have i told you|did i say) (when i have to|when i want to|when i should|which day i must) {task}
      to {task}(, when|: which day|, which day was planned|: when do i have to do it|, when is it due)?
      (my plan|my duty|my to-do|my errand) to {task}(, when|: which day|, please, when is it|, when did i plan it for)?
      when (am i meant to|am i due to|is it planned to|have i planned to|did i promise to|have i got to) {task}?
      ---
      on what day is it time to {task}?
      until when should i {task}?`,
  },
  debt: {
    key: '{person}',
    value: '{number}',
    said: `
      i owe {person} {number} euros
      i lent {person} {number} euros
      i borrowed {number} euros from {person}
      (i have lent|i must pay|i have to pay|i need to pay back to) {person} {number} euros
      (i have borrowed|i got a loan of) {number} euros from {person}
      ---
      i still owe {person} {number} euros`,
    topic: `
      (the money for {person}|what i owe {person})
      (my (loan|money matters|accounts) with|the (loan|euros|sum|amount|cash) (for|from|to)|how much i owe|how much i lent) {person}
      ---
      my debt with {person}`,
    ask: `
      how much do i owe {person}?
      how much money did i (lend|borrow from) {person}?
      do you (know|remember) how much i owe {person}?
      (what|how many euros|how much cash|what amount|which amount) (do i owe|did i lend|have i lent|must i pay|should i pay) (to |){person}?
      (could|can|would) you (please |)(tell me|remind me|let me know|look up) (how much i owe|what i owe|how many euros i owe) {person}?
      (how much|what amount|how many euros) (did i borrow|have i borrowed|did i get|was the loan) from {person}?
      (i forgot|i can't recall|need to know|have to know|i want to settle up,) (how much i owe|what i owe|how much i lent) {person}
      (my loan from|money for|what i owe to|loan for|euros for) {person}(, how much|: how many euros|, please, how much|, what amount)?
      (i met|i'm meeting|i'm about to see|here comes) {person}(, how much do i owe|. how many euros was it|, what's the amount i owe)?
      {person} (wants the money back|asks for the money|is waiting for the euros), how much (is it|was it|do i owe)?
      ---
      what sum is between {person} and me?`,
  },
  parking: {
    value: '{place}',
    said: `
      i parked (near|behind|next to) the {place}
      i parked my car near the {place}
      my car is parked behind the {place}
      my (car|van|vehicle|motorbike) (is standing|stands|is parked|can be found|is waiting) (near|behind|next to|in front of|opposite) the {place}
      (i have parked|i got a parking space|i found a parking space) (near|behind|next to|opposite|in front of) the {place}
      ---
      i left my car beside the {place}`,
    topic: `
      (where i parked|my parking place)
      (where (i put the car|the car stands|my car is parked|i parked my car)|my parking (space|spot|lot)|the (parking spot|parking place|place where i parked))
      ---
      the spot of my car`,
    ask: `
      where did i park?
      where is my car parked?
      (where is|where's) the car?
      do you (know|remember) where i parked?
      (could|can|would) you (please |)(tell me|remind me|let me know|say) (where i parked|where my car is parked|where the car is|where i put the car)?
      (where is|where's|what is|what's) (my parking space|my parking place|my parking spot|the car parked|the parking place)?
      (can't find|i lost|i'm searching for|i don't see) (the car|my parked car|my parking spot)(, where did i park|. where is it parked|, help)?
      (where (have i parked|is it that i parked|did i park the car|does my car stand|is the car standing|did i put the car)|behind what did i park|next to what did i park)?
      (my parking spot|parking place|parked car|location of the parked car)(, please|, where|: where|, quick, where is it)?
      (i forgot|i can't recall|have i told you|did i mention|need to know) where (i parked|i parked my car|the car is parked|i put the car)
      ---
      where did i leave my car?`,
  },
  marathon: {
    value: '{city}',
    said: `
      i'm training for the marathon in {city}
      i run the marathon in {city} in {month}
      i'm preparing for the triathlon in {city}
      (i have signed up|i'm signed up|i have registered|i'm getting fit|i'm in training|i'm working out) for the (marathon|half marathon|triathlon|race) in {city}
      (i'm running|i want to run|i will run|i plan to run|i have to run) the (marathon|half marathon|city run) in {city}
      ---
      i take part in the race in {city}`,
    topic: `
      (what i'm training for|my race)
      (my (marathon|training goal|triathlon|competition|next run)|the (race|marathon|run|competition) (i train for|i'm training for|i'm preparing for))
      ---
      where i take part`,
    ask: `
      what am i training for?
      what am i preparing for?
      where is my (race|marathon)?
      (which|what) (race|marathon|run|competition|event) (am i training for|do i train for|did i sign up for|am i preparing for|will i run|do i want to run)?
      (could|can|would) you (please |)(tell me|remind me|say) (what i'm training for|what race i train for|where my marathon is)?
      (where (do i run|am i running|will i run|is it that i run)|what city hosts|which city hosts) (my race|my marathon|the marathon)?
      (my race|my marathon|my training goal|my big run)(, where is it|: which city|, please, where|? which one)?
      (i forgot|did i tell you|have i mentioned|need to know|you know) (what i'm training for|what i'm preparing for|where my race is|which marathon i run)
      (for what|for which race|for which event) (am i training|do i train|am i preparing|do i prepare|am i getting fit)?
      ---
      in what city do i race?`,
  },
  habit: {
    value: '{hobby}',
    said: `
      i do {hobby} every morning
      i started {hobby} last year
      i quit {hobby} in {month}
      i learned {hobby} as a child
      (i practise|i enjoy|i begin the day with|i start my day with|i try to do|i always do) {hobby} (every morning|before breakfast|at dawn)
      (i gave up|i have given up|i have started|i have learned) {hobby} (last year|as a child|years ago)
      ---
      i took up {hobby} in {month}`,
    topic: `
      (what i do every morning|what i started)
      (my (morning routine|morning habit|daily habit)|what i (do in the mornings|practise every morning|quit|learned|gave up|began))
      ---
      what i took up`,
    ask: `
      what do i do every morning?
      what did i start last year?
      what did i (quit|learn)?
      (what|which activity) (do i do|am i doing|do i practise|do i always do) (every morning|each morning|in the mornings|before breakfast|at dawn)?
      (what is|what's) my (morning routine|morning habit|daily habit|morning activity)?
      (could|can|would) you (please |)(tell me|remind me|say) what i (do every morning|started last year|quit|learned as a child)?
      (which|what) (activity|habit|thing) did i (start|quit|learn|begin|give up|stop)( last year| as a child|)?
      (what did i|what have i) (stop doing|give up|learn as a child|begin last year|quit this year)?
      (my morning habit|morning routine|my daily activity)(, what is it|: which|, please|? i forgot)?
      ---
      what did i take up?`,
  },
  gift: {
    key: '{relative}',
    value: '{belonging}',
    said: `
      my {relative} wants a {belonging} for (christmas|the birthday|easter)
      my {relative} needs a new {belonging}
      my {relative} would like a {belonging}
      my {relative} (dreams of|asked for|has asked for|hopes for|could use|is hoping for|wished for|has set their heart on) a {belonging}
      my {relative} (wants|needs|would love|is in need of|has been wanting|should get) a (new |)(better |){belonging}
      ---
      my {relative} is wishing for a {belonging}`,
    topic: `
      (what my {relative} wants|the present for my {relative})
      (a gift idea for|the gift for|the present idea for|gifts for|what to give) my {relative}
      what (i could give to|i could give|would be a gift for|to buy for) my {relative}
      what my {relative} (needs|asked for|would like|is hoping for|dreams of|is wanting|wished for)
      ---
      the wish of my {relative}`,
    ask: `
      what does my {relative} (want|need|want for christmas|wish for)?
      what should i give my {relative}?
      which present does my {relative} want?
      do you (know|remember) what my {relative} wants?
      what (should|can|could|do|shall) i (get|buy|bring|give|wrap up for|offer) my {relative}( for christmas| for the birthday| as a present| as a gift|)?
      (what gift|which gift|what surprise|which thing) (does my {relative} want|should my {relative} get|can i buy for my {relative}|would my {relative} like)?
      (could|can|would) you (please |)(tell me|remind me|let me know) what my {relative} (wants|needs|asked for|would like|wished for)?
      (what did i note|what did i say) (as the present for|as the gift for|that is wanted by) my {relative}?
      (need|i need|i'm shopping for|got to buy|i have to get) the (present|gift) for my {relative}(, what was wanted|. what was it to be|, what did i note)?
      (gift|present|christmas present|birthday present) for my {relative}(, what was wanted|: what|? i forgot|, which one)?
      what (would|does) my {relative} (love to have|like to get|dream of|hope for|long for|ask for|lack)?
      ---
      what present would please my {relative}?`,
  },
  relativeTaste: {
    key: '{relative}',
    value: '{food}',
    said: `
      my {relative} (likes|loves|hates) {food}
      my {relative} is allergic to {food}
      my {relative} can't eat {food}
      my {relative} doesn't like {food}
      my {relative} (never eats|won't eat|enjoys|adores|prefers|can't stand|refuses to eat|is fond of|dislikes|doesn't eat) {food}
      my {relative} (gets ill from|must not eat|has an allergy to|doesn't tolerate|cannot have|should not eat|reacts badly to) {food}
      ---
      my {relative} must avoid {food}`,
    topic: `
      (what my {relative} eats|my {relative}'s taste)
      (the (diet|allergy|eating habits|food preferences|tastes|favourite dish) of) my {relative}
      what my {relative} (likes|can't eat|is allergic to|enjoys|refuses to eat|won't eat|loves|hates|likes to eat)
      ---
      the food of my {relative}`,
    ask: `
      what does my {relative} (like|love|hate|not eat)?
      what can't my {relative} eat?
      what is my {relative} allergic to?
      do you (know|remember) what my {relative} (likes|can't eat)?
      what (food|dish|foods|ingredient|meal) (does|can|should|will|must) my {relative} (like|love|hate|enjoy|not eat|refuse|eat|dislike|not have)?
      (could|can|would) you (please |)(tell me|remind me|let me know) what my {relative} (likes|eats|can't eat|won't eat|is allergic to|hates|loves)?
      (i'm cooking for|i have invited|we're having dinner with|i'm preparing dinner for) my {relative}(, what do i need to know|. any allergies|, what should i watch out for)?
      what (doesn't|won't|shouldn't|mustn't) my {relative} (eat|like|tolerate|have on the plate)?
      (allergy of|diet of|eating habits of|food preferences of|favourite dish of) my {relative}(, please|: what is it|? i forgot|, which one)?
      (is there something|is there a food|is there a dish) (that |)my {relative} (can't eat|loves|hates|is allergic to|doesn't like|won't touch)?
      ---
      what food concerns my {relative}?`,
  },
  relativeJob: {
    key: '{relative}',
    value: '{job}',
    said: `
      my {relative} is a {job}
      my {relative} works as a {job}
      my {relative} (is working as|has a job as|got a job as|is employed as|trained as|has always worked as|serves as) a {job}
      my {relative}'s (job|occupation) is {job}
      ---
      my {relative} earns money as a {job}`,
    topic: `
      (my {relative}'s job|what my {relative} does)
      (the (job|work|occupation|career|employment|trade)|the line of work) of my {relative}
      (my {relative}'s (occupation|career|trade|line of work|work)|what my {relative} (works as|is by trade|does for work|does for a living))
      ---
      the profession of my {relative}`,
    ask: `
      (what is|what's) my {relative}'s job?
      what does my {relative} do?
      what does my {relative} do for a living?
      do you (know|remember) what my {relative} does?
      (what does my {relative} (work as|do for work|do all day at work|do as a job)|what kind of work does my {relative} do|what line of work is my {relative} in)?
      (could|can|would) you (please |)(tell me|remind me|let me know) (what my {relative} does|what my {relative}'s job is|what my {relative} works as)?
      (which|what) (job|occupation|career|trade|line of work) (does my {relative} have|is my {relative} in|did my {relative} choose|has my {relative} got)?
      (job|occupation|work|trade|career) of my {relative}(, please|: what is it|? i forgot|, which one)?
      (what is|what's) my {relative} (by trade|working as|employed as|by occupation|doing for work|trained as)?
      (i forgot|i can't recall|need to know|have i told you|did i mention|mind telling me) (what my {relative} does|what my {relative} works as|my {relative}'s job)
      ---
      how does my {relative} earn money?`,
  },
  petAge: {
    key: '{pet}',
    value: '{food}',
    said: `
      my {pet} only eats {food}
      my {pet} loves {food}
      my {pet} must not eat {food}
      my {pet} (eats nothing but|can't digest|is not allowed to eat|adores|enjoys|should never eat|refuses to eat|gets|lives on|prefers|is fed with) {food}
      ---
      my {pet} is mad about {food}`,
    topic: `
      (what my {pet} eats|the food of my {pet})
      (the (diet|feed|meals|favourite dish|menu|feeding) of|how i feed|how to feed|what to feed|what i give to) my {pet}
      what my {pet} (likes|loves|can't eat|must not eat|may eat|feeds on|lives on|likes to eat)
      ---
      the taste of my {pet}`,
    ask: `
      what does my {pet} (eat|love|like)?
      what can my {pet} (eat|not eat)?
      do you (know|remember) what my {pet} eats?
      what (should|can|do|may|must) i (feed|give|serve) (to |)my {pet}?
      what (food|treat|feed|meal) (does my {pet} (like|love|eat|need|get)|can i give my {pet}|do i give my {pet}|is right for my {pet})?
      (could|can|would) you (please |)(tell me|remind me|let me know) what my {pet} (eats|likes|can't eat|must not eat|may eat|loves)?
      my {pet} (is hungry|needs food|wants dinner|wants something to eat)(, what does it eat|. what do i give it|, what can it have)?
      (feed|diet|food|meal|menu) for my {pet}(, please|: what|? i forgot|, what is right)?
      what (mustn't|shouldn't|can't|won't|may) my {pet} (eat|be fed|get|have in the bowl)?
      ---
      what food is about my {pet}?`,
  },
  free: {
    target: 'memory',
    key: '{phrase}',
    value: '{phrase}',
    said: `
      the {phrase} is {adjective}
      the {phrase} needs {food}
      the {phrase} was made by {person}
      the {phrase} costs {number} euros
      the {phrase} comes from {city}
      the {phrase} belongs into the {place}
      the {phrase} must not be {adjective}
      there is {food} for the {phrase}
      {person} has the {phrase}
      {person} wants the {phrase} back by {weekday}
      we decided to keep the {phrase}
      nobody may touch the {phrase}
      (everybody|nobody) (knows|likes|wants|needs) the {phrase}
      ---
      the {phrase} works only with {food}
      {person} left the {phrase} in {city}
      we agreed on the {phrase} in {month}`,
    topic: `
      (the {phrase}|what i said about the {phrase})
      (everything|something|anything|all) (about|on|concerning|regarding) the {phrase}
      (what (i told you|you heard)|the facts|the details|the note|the story|the matter) (about|concerning|regarding) the {phrase}
      ---
      that thing about the {phrase}`,
    ask: `
      what (about|is with|is it with) the {phrase}?
      what do you know about the {phrase}?
      what did i (say|tell you) about the {phrase}?
      (tell me|remind me) about the {phrase}
      do you (know|remember) anything about the {phrase}?
      what (have you noted|did you note|have you stored|do your notes say|does your memory say|do you have) (about|concerning|regarding) the {phrase}?
      (could|can|would) you (please |)(tell me|say|let me know) what you (know|noted|remember|stored) about the {phrase}?
      (your notes|your note|what you know|what you remember|what's in your memory) (on|about|regarding|concerning) the {phrase}(, please|, quick|?)
      (i'd like to hear|need to know|would love to know|show me|i want to see) what (you know|you noted|you've stored|is noted) about the {phrase}
      (do you have|is there|have you|did you keep) (a note|any notes|anything saved|something stored) (about|on|regarding) the {phrase}?
      the {phrase}(, what do you know about it|: what do your notes say|? tell me what you know|, do you know anything|, you know about it)?
      (what's up|what's the deal|what's the story|what's the situation|how do things stand) with the {phrase}?
      ---
      the {phrase}, what was it?
      what have you got on the {phrase}?`,
  },
  freeSelf: {
    key: '{phrase}',
    value: '{phrase}',
    said: `
      i bought a {phrase} in {city}
      i lost my {phrase} on {weekday}
      i sold the {phrase} to {person}
      i need a {phrase} for the {noun}
      i use the {phrase} every {weekday}
      i want a {colour} {phrase}
      my {phrase} is {colour}
      my {phrase} is from {city}
      my {phrase} broke in {month}
      i don't want the {phrase}
      i can't use the {phrase}
      i got the {phrase} from {person}
      i (lost|sold|left|got|have lost|have sold) my {phrase} in {city}
      (i got my|i have a|i've got a|i have got the|i always use the) {phrase} (from|for) {person}
      ---
      i found my {phrase} in {city}
      i gave the {phrase} to {person}
      my {phrase} belongs to {person}`,
    topic: `
      (my {phrase}|what i said about my {phrase})
      (everything|something|anything|all) (about|on|concerning|regarding) my {phrase}
      (what (i told you|you heard)|the facts|the details|the note|the story|the matter) (about|concerning|regarding) my {phrase}
      ---
      that thing about my {phrase}`,
    ask: `
      what (about|is with|is it with) my {phrase}?
      what do you know about (my|the) {phrase}?
      what did i (say|tell you) about (my|the) {phrase}?
      do you (know|remember) anything about my {phrase}?
      what (have you noted|did you note|have you stored|do your notes say|does your memory say|do you have) (about|concerning|regarding) my {phrase}?
      (could|can|would) you (please |)(tell me|say|let me know) what you (know|noted|remember|stored) about my {phrase}?
      (your notes|your note|what you know|what you remember|what's in your memory) (on|about|regarding|concerning) my {phrase}(, please|, quick|?)
      (i'd like to hear|need to know|would love to know|show me|i want to see) what (you know|you noted|you've stored|is noted) about my {phrase}
      (do you have|is there|have you|did you keep) (a note|any notes|anything saved|something stored) (about|on|regarding) my {phrase}?
      my {phrase}(, what do you know about it|: what do your notes say|? tell me what you know|, do you know anything|, you know about it)?
      (what's up|what's the deal|what's the story|what's the situation|how do things stand) with my {phrase}?
      ---
      my {phrase}, what was it?
      what have you got on my {phrase}?`,
  },
}
