"""Every world as an environment: adapters for trainers and agents, curricula, data to train on."""
