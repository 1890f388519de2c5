-- +goose Up

-- Where a user has signed in: an HMAC of the kind of the browser and of its wide network. A sign-in from elsewhere is reported by mail.
CREATE TABLE known_device (
    user_id     BYTEA  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    device_hash BYTEA  NOT NULL,
    seen_at     BIGINT NOT NULL,
    PRIMARY KEY (user_id, device_hash)
);
