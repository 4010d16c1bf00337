from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[2] / "tests" / "data" / "models"


@pytest.fixture(scope="session")
def models():
    if not MODELS.is_dir():
        pytest.skip("the models of the repository are not there")
    return MODELS


@pytest.fixture(scope="session")
def attnlab_program():
    """Skips without the program."""
    from attnlab import ProgramError
    from attnlab.program import program

    try:
        return program()
    except ProgramError as error:
        pytest.skip(str(error))
