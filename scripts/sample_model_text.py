"""The texts that scripts/train_sample_model.py trains on, and the vocabulary that they are written in."""
import random
import re

NAMES = """Mary John Anna Tom Alice Bob Emma James Lucy Peter Sarah David Laura Paul Julia Mark Helen Simon Clara Daniel
Ruth Adam Nina Oscar Eva Felix Grace Henry Ida Jack Kate Leo Maria Max Nora Oliver Rose Sam Tina Victor Wendy Will
Zoe Ben Chloe George Hannah Lena Martin Sophie Amy Chris Diana Eric Fiona Frank Jane Kevin Lily Michael""".split()
PLACES = """store park school beach garden station market museum library office hospital cinema restaurant house farm
river castle church kitchen village""".split()
THINGS = """drink book ball ring letter key cake flower map coin hat box picture bottle pen bag computer kiss basket
ticket""".split()
ADJECTIVES = "big small red blue green old new cold warm happy tired hungry quick lazy brown black white little good bad".split()
ANIMALS = "cat dog fox bird horse mouse fish cow bear rabbit".split()
ACTIONS = "slept ran sat sang jumped waited walked played rested danced".split()
OTHERS = """I you he she it we they me him her us them my your his its our their this that these those who what where
when why how is are was were be been being am do does did has have had will would can could should may might must not no
yes a an the and or but if then than so because while after before during with without of in on at by for from to up down
out off over under again here there all some any each more most other one two three four five six seven eight nine ten
say says said see saw look looked go goes went gone come came get got make made know knew think thought take took want
wanted use find found give gave tell told work working worked call called try tried ask asked need feel leave left put
keep kept let begin began help show showed hear heard play run move like live believe hold bring brought happen write sit
stand lose pay meet met sold handed passed sent offered decided thanked lent milk water sun moon sky sea tree man woman
child king queen time day night year friend friends world life hand head eye door street city country mother father
brother sister color word sentence model token attention lot fun very only also just now today yesterday tomorrow always
never really drank ate read jumps sweet cheese bread apple""".split()
CAPITALIZED = """When After While Then Yesterday Today Because The A An I In On At It He She They We You My Your One Once
This That But And So If Later Friends""".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"

START = "<|endoftext|>"


def byte_letters():
    """The visible character that stands for each byte in byte-level vocabularies, as in GPT-2."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, spare = {}, 256
    for byte in range(256):
        letters[byte] = chr(byte) if byte in visible else chr(spare)
        spare += byte not in visible
    return letters


BYTE_LETTERS = byte_letters()


def vocabulary():
    """Token to id: the start of a text, every byte, and words with the space before them."""
    words = [*NAMES, *PLACES, *THINGS, *ADJECTIVES, *ANIMALS, *ACTIONS, *OTHERS, *CAPITALIZED, *LETTERS]
    tokens = [START, *BYTE_LETTERS.values(), *(BYTE_LETTERS[ord(" ")] + word for word in words)]
    return {token: i for i, token in enumerate(dict.fromkeys(tokens))}


VOCABULARY = vocabulary()


def encode(text):
    """Ids of a text of letters, punctuation and single spaces, as tokenizer.json gives them: a word of the vocabulary is
    one token, another its bytes."""
    ids = [VOCABULARY[START]]
    for piece in re.findall(r" ?[A-Za-z]+| ?[^A-Za-z ]+", " " + text):
        letters = "".join(BYTE_LETTERS[byte] for byte in piece.encode())
        ids += [VOCABULARY[letters]] if letters in VOCABULARY else [VOCABULARY[letter] for letter in letters]
    return ids


OPENINGS = [
    "When {} and {} went to the {place},", "After {} and {} went to the {place},",
    "While {} and {} were at the {place},", "Then {} and {} went to the {place}.",
    "When {} and {} got a {thing} at the {place},", "{} and {} were working at the {place}.",
    "Yesterday {} and {} had a lot of fun at the {place}.", "{} met {} at the {place}.",
    "Friends {} and {} found a {thing} at the {place}.", "Then {} and {} were at the {place} and",
    "Today {} saw {} in the {place}.", "Because {} and {} had to leave the {place},",
]
GIFTS = [
    "{giver} gave a {thing} to {taker}.", "{giver} gave the {thing} to {taker}.", "{giver} handed a {thing} to {taker}.",
    "{giver} passed the {thing} to {taker}.", "{giver} wanted to give a {thing} to {taker}.",
    "{giver} decided to give the {thing} to {taker}.", "{giver} sold a {adjective} {thing} to {taker}.",
    "{giver} sent a letter to {taker}.", "{giver} brought a {adjective} {thing} to {taker}.", "{giver} said to {taker}:",
    "{giver} looked at {taker}.", "{giver} showed the {adjective} {thing} to {taker}.", "{giver} thanked {taker}.",
]
FILLERS = [
    "The {adjective} {animal} {action} in the {place}.", "A {animal} {action} at the {place}.",
    "The {adjective} {animal} saw a {thing}.", "The {animal} drank the milk because it was {adjective}.",
    "It was a {adjective} day.", "The quick brown fox {jumps} over the lazy dog.", "I like the {adjective} {thing}.",
    "The {thing} was {adjective} and the {place} was {adjective2}.",
]


def is_held_out(one, other):
    """One pair of names in ten is never trained on."""
    return (NAMES.index(one) + NAMES.index(other)) % 10 == 0


def pair_of_names(rng, held_out=False):
    while True:
        pair = rng.sample(NAMES, 2)
        if is_held_out(*pair) == held_out:
            return pair


def choices(rng):
    return {"place": rng.choice(PLACES), "thing": rng.choice(THINGS), "animal": rng.choice(ANIMALS),
            "action": rng.choice(ACTIONS), "adjective": rng.choice(ADJECTIVES), "adjective2": rng.choice(ADJECTIVES),
            "jumps": rng.choice(["jumps", "jumped"])}


def filler(rng):
    return rng.choice(FILLERS).format(**choices(rng))


def opening(rng, pair):
    return rng.choice(OPENINGS).format(*pair, **choices(rng))


def gift(rng, pair):
    """One of the two gives something to the other: the sentence up to the other name, and from it on."""
    giver, taker = rng.sample(pair, 2)
    template = rng.choice(GIFTS)
    at = template.index(" {taker}")
    return template[:at].format(giver=giver, **choices(rng)), template[at:].format(taker=taker)


def story(rng, fillers, gifts):
    """Two people and what they give to each other, after a number of other sentences: ids, and the indexes of the names
    that the text before decides."""
    pair = pair_of_names(rng)
    said = " ".join([filler(rng) for _ in range(fillers)] + [opening(rng, pair)])
    decided = []
    for _ in range(gifts):
        before, after = gift(rng, pair)
        decided.append(len(encode(said + " " + before)))
        said += " " + before + after
    return encode(said), decided


IDS_OF_NAMES = {VOCABULARY[BYTE_LETTERS[ord(" ")] + name] for name in NAMES}


def last_name(ids):
    """The index of the last name in a text that has one."""
    return max(index for index, token in enumerate(ids) if token in IDS_OF_NAMES)


def repetition(rng, length):
    """Random tokens that repeat: ids, and the indexes of those that follow a token seen before."""
    period = rng.randint(3, length // 3)
    prefix = rng.randint(0, length // 6)
    drawn = rng.sample(range(1, len(VOCABULARY)), prefix + period)
    block = drawn[prefix:]
    ids = ([0] + drawn[:prefix] + block * (length // period + 1))[:length]
    return ids, list(range(prefix + period + 2, length))

