#include "lucid/core/Ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using namespace lucid;

struct Counted : RefCounted {
    explicit Counted(int& deaths) : deaths_(deaths) {}
    ~Counted() override { ++deaths_; }
    int& deaths_;
};
struct Derived final : Counted {
    using Counted::Counted;
};

TEST(Ref, CountsItsOwners) {
    int deaths = 0;
    {
        Ref<Counted> a = make_ref<Counted>(deaths);
        EXPECT_EQ(a->use_count(), 1);
        Ref<Counted> b = a;
        EXPECT_EQ(a->use_count(), 2);
        EXPECT_TRUE(a == b);
        Ref<Counted> c = std::move(b);
        EXPECT_EQ(a->use_count(), 2);
        EXPECT_FALSE(b);  // NOLINT(bugprone-use-after-move): the promise under test
        c.reset();
        EXPECT_EQ(a->use_count(), 1);
        EXPECT_EQ(deaths, 0);
        Ref<Counted>& alias = a;
        a = alias;
        EXPECT_EQ(a->use_count(), 1);
    }
    EXPECT_EQ(deaths, 1);
}

TEST(Ref, AssignmentLetsTheOldOneGo) {
    int first = 0;
    int second = 0;
    Ref<Counted> a = make_ref<Counted>(first);
    a = make_ref<Counted>(second);
    EXPECT_EQ(first, 1);
    a = nullptr;
    EXPECT_EQ(second, 1);
}

TEST(Ref, ConvertsToTheBase) {
    int deaths = 0;
    Ref<Derived> derived = make_ref<Derived>(deaths);
    Ref<Counted> base = derived;
    EXPECT_EQ(derived->use_count(), 2);
    Ref<Counted> moved = std::move(derived);
    EXPECT_EQ(moved->use_count(), 2);
    base.reset();
    moved.reset();
    EXPECT_EQ(deaths, 1);
}

TEST(Ref, DetachAndAdoptKeepTheCount) {
    int deaths = 0;
    Ref<Counted> a = make_ref<Counted>(deaths);
    Counted* raw = a.detach();
    EXPECT_FALSE(a);
    EXPECT_EQ(raw->use_count(), 1);
    a = Ref<Counted>::adopt(raw);
    EXPECT_EQ(raw->use_count(), 1);
    a.reset();
    EXPECT_EQ(deaths, 1);
}

struct Undead final : RefCounted {
    void destroy() noexcept override { saved = Ref<Undead>(this); }
    static inline Ref<Undead> saved;
};

TEST(Ref, DestroyMayResurrect) {
    Ref<Undead> a(new Undead);
    Undead* raw = a.get();
    a.reset();
    ASSERT_EQ(Undead::saved.get(), raw);
    EXPECT_EQ(raw->use_count(), 1);
    EXPECT_TRUE(raw->try_retain());
    EXPECT_EQ(raw->use_count(), 2);
    delete Undead::saved.detach();
}

struct Dying final : RefCounted {
    explicit Dying(bool& retained) : retained_(retained) {}
    ~Dying() override { retained_ = try_retain(); }
    bool& retained_;
};

TEST(Ref, TryRetainFailsOnTheDying) {
    bool retained = true;
    make_ref<Dying>(retained).reset();
    EXPECT_FALSE(retained);
}

TEST(Ref, OneDeathAmongThreads) {
    int deaths = 0;
    {
        const Ref<Counted> shared = make_ref<Counted>(deaths);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([copy = shared] {
                for (int i = 0; i < 20000; ++i) Ref<Counted>(copy).reset();
            });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_GE(shared->use_count(), 1);
    }
    EXPECT_EQ(deaths, 1);
}

}  // namespace
