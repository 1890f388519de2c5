-- +goose Up

-- The tokens of language models that an account used in a month (YYYY-MM). The zero account stands for descriptions without an account.
CREATE TABLE agent_account_usage (
    account BYTEA  NOT NULL,
    month   TEXT   NOT NULL,
    tokens  BIGINT NOT NULL,
    PRIMARY KEY (account, month)
);
