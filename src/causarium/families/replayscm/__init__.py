"""ReplaySCM: find an executable Boolean model of the worlds that interventions left behind."""
