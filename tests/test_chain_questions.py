"""What holds for the questions of every task."""

import numpy as np
import pytest
from chain_states import unseen_state

from chainspace_gym.chains import OPTIONS, ROUNDS, TASKS, Draft
from chainspace_gym.questions import DRAFTS, chains_of

SEED = 1006


@pytest.mark.parametrize("task", TASKS)
def test_equal_generators_draw_equal_questions_and_others_other_ones(task):
    def drawn(seed):
        proposals = DRAFTS[task](unseen_state(SEED), np.random.default_rng(seed))
        return [(each.subject, each.rounds) for each in proposals if isinstance(each, Draft)]

    one, again, other = drawn(1), drawn(1), drawn(2)
    assert one
    assert one == again != other


@pytest.mark.parametrize("seed", [1_002, 1_006])
def test_each_letter_is_right_for_one_of_a_walk_s_four_chains_in_every_round(seed):
    for stream in range(5):
        chains = chains_of(unseen_state(seed), np.random.default_rng([seed, stream])).chains
        assert set(chains) == set(TASKS)
        letters = np.array([chain.answers for chain in chains.values()])
        assert np.array_equal(np.sort(letters, axis=0), np.tile(np.arange(OPTIONS)[:, None], ROUNDS))
